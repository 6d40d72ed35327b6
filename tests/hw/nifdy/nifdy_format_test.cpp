// The number of flits of an acknowledgement follows from its fields.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <spillway/hw/nifdy/nifdy_format.hpp>
#include <spillway/hw/nifdy/nifdy_header.hpp>
#include <systemc>

using namespace spillway::nifdy;

namespace {

std::string text(const wire_format& format) {
  std::string fields;
  for (const wire_field& f : format) fields += f.name + ' ' + std::to_string(f.bits) + "; ";
  return fields;
}

}  // namespace

TEST(nifdy_format, has_the_fields_of_the_paper_for_its_machines) {
  const wire_sizes fat_tree{64, 1, 4, false};
  EXPECT_EQ(text(scalar_format(fat_tree)), "destination 6; kind 2; source 6; request 1; ");
  EXPECT_EQ(text(bulk_format(fat_tree)), "destination 6; kind 2; dialog 0; epoch 1; sequence 3; exit 1; ");
  EXPECT_EQ(text(scalar_ack_format(fat_tree)),
            "destination 6; kind 2; acknowledging 6; answer 2; dialog 0; epoch 1; ");
  EXPECT_EQ(text(bulk_ack_format(fat_tree)),
            "destination 6; kind 2; dialog 0; epoch 1; sequence 3; ended 1; ");
  EXPECT_LE(bits_of(scalar_format(fat_tree)), 32u) << "a header is a word";
}

TEST(nifdy_format, tells_duplicates_of_scalar_packets_where_the_network_may_lose_packets) {
  const wire_sizes lossy{64, 1, 4, true}, without_dialogs{64, 0, 0, true};
  EXPECT_EQ(text(scalar_format(lossy)), "destination 6; kind 2; source 6; request 1; duplicate 1; ");
  EXPECT_EQ(text(scalar_format(without_dialogs)), "destination 6; kind 2; source 6; duplicate 1; ");
  EXPECT_EQ(text(scalar_ack_format(lossy)),
            "destination 6; kind 2; acknowledging 6; answer 2; dialog 0; epoch 1; duplicate 1; ");
  // Those of a dialog have numbers.
  const wire_sizes kept{64, 1, 4, false};
  EXPECT_EQ(text(bulk_format(lossy)), text(bulk_format(kept)));
  EXPECT_EQ(text(bulk_ack_format(lossy)), text(bulk_ack_format(kept)));
}

TEST(nifdy_format, gives_the_flits_of_an_acknowledgement) {
  EXPECT_EQ(ack_flits({64, 1, 4, false}, 32), 1u);  // 17 bits
  EXPECT_EQ(ack_flits({64, 1, 4, false}, 16), 2u);
  EXPECT_EQ(ack_flits({64, 1, 4, false}, 17), 1u);
  EXPECT_EQ(ack_flits({64, 0, 0, false}, 14), 1u);           // destination, kind, who acknowledges
  EXPECT_EQ(ack_flits({64, 0, 0, true}, 14), 2u);            // and the duplicate bit
  EXPECT_EQ(ack_flits({1u << 14, 64, 1024, true}, 32), 2u);  // 14 + 2 + 14 + 2 + 6 + 1 + 1
  EXPECT_EQ(ack_flits({2, 1, 1024, false}, 16), 1u);  // 1 + 2 + 1 + 11 + 1: that of a dialog is the longer
  EXPECT_EQ(ack_flits({2, 1, 1024, false}, 15), 2u);
}

TEST(nifdy_waveform, shows_every_part_of_a_dialog) {
  const std::string file = testing::TempDir() + "dialog_waveform_" + std::to_string(::getpid());
  const dialog d;
  sc_core::sc_trace_file* const waves = sc_core::sc_create_vcd_trace_file(file.c_str());
  sc_trace(waves, d, "d");
  sc_core::sc_start(1, sc_core::SC_NS);
  sc_core::sc_close_vcd_trace_file(waves);
  std::ifstream is(file + ".vcd");
  const std::string text{std::istreambuf_iterator<char>(is), {}};
  for (const char* const part :
       {"open", "leaving", "ending", "requested", "peer", "name", "next", "acknowledged"})
    EXPECT_NE(text.find(std::string(part) + " "), std::string::npos) << part;
  std::remove((file + ".vcd").c_str());
}
