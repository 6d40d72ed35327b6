// The table of the packets of a run.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <spillway/tb/measure/recorder.hpp>
#include <string>

using namespace spillway;

TEST(recorder_alone, writes_a_row_a_packet) {
  const std::string file = testing::TempDir() + "recorded_" + std::to_string(::getpid()) + ".csv";
  recorder all(file, 4, true);
  flit f;
  f.source = 1, f.destination = 2, f.length = 3;
  all.created(5, f);
  delivery d;
  d.cycle = 8, d.source = 1, d.destination = 2;
  all.delivered(d);
  f.source = 2, f.destination = 1;
  all.created(10, f);
  all.finish(20);
  std::ifstream is(file);
  const std::string text{std::istreambuf_iterator<char>(is), {}};
  EXPECT_EQ(text,
            "cycle,source,destination,size,after,class,word,combinable\n5,1,2,3,0,0,0,0\n2,2,1,3,1,0,0,0\n");
  std::remove(file.c_str());
}

TEST(recorder_alone, counts_packets_of_which_it_writes_none) {
  const std::string file = testing::TempDir() + "left_out_" + std::to_string(::getpid()) + ".csv";
  recorder all(file, 4, true);
  flit f;
  f.source = 1, f.destination = 2, f.length = 3;
  all.created(5, f);
  f.kind = flit_kind::reply;
  all.created(6, f);
  f.kind = flit_kind::data, f.network = 1;
  all.created(7, f);
  all.finish(20);
  counters counted;
  all.count(counted);
  EXPECT_EQ(counted.at("record.packets"), 1);
  EXPECT_EQ(counted.at("record.left_out"), 2);
  std::remove(file.c_str());
}
