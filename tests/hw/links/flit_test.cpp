#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/random/mersenne_twister.hpp>
#include <cstdio>
#include <fstream>
#include <map>
#include <spillway/hw/links/packet_link.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace spillway;

namespace {

struct part {
  const char* name;
  unsigned low, width;  // bits, as documented at the struct
  void (*set)(flit&, std::uint64_t);
  std::uint64_t (*get)(const flit&);
};

#define PART(NAME, LOW, WIDTH)                                                                    \
  {                                                                                               \
#NAME, LOW, WIDTH, [](flit& f, std::uint64_t v) { f.NAME = static_cast<decltype(f.NAME)>(v); }, \
        [](const flit& f) { return static_cast<std::uint64_t>(f.NAME); } \
  }

const std::vector<part>& parts() {
  static const std::vector<part> all = {
      PART(source, 0, 28),    PART(kind, 28, 4),    PART(destination, 32, 28), PART(traffic_class, 60, 4),
      PART(packet, 64, 32),   PART(index, 96, 16),  PART(length, 112, 16),     PART(lane, 128, 6),
      PART(network, 134, 2),  PART(route, 136, 12), PART(marks, 148, 4),       PART(interface_word, 152, 40),
      PART(payload, 192, 64),
  };
  return all;
}

flit_words random_bits(boost::random::mt19937_64& engine) { return {engine(), engine(), engine(), engine()}; }

/// What a waveform holds in the end, by name.
std::map<std::string, std::string> last_values(const std::string& path) {
  std::ifstream in(path);
  std::map<std::string, std::string> names, values;  // by code, by name
  std::vector<std::string> scopes;
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string first, kind, width, code, name;
    words >> first;
    if (first == "$scope" && words >> kind >> name) scopes.push_back(name + '.');
    if (first == "$upscope") scopes.pop_back();
    if (first == "$var" && words >> kind >> width >> code >> name) {
      names[code] = scopes.back() + name.substr(0, name.find('['));
    } else if (first.size() > 1 && first[0] == 'b' && words >> code) {
      const std::size_t one = first.find('1');
      values[names[code]] = one == std::string::npos ? "0" : first.substr(one);
    } else if (first.size() > 1 && (first[0] == '0' || first[0] == '1')) {
      values[names[first.substr(1)]] = first.substr(0, 1);
    }
  }
  return values;
}

std::string binary(std::uint64_t value) {
  std::string text;
  for (; value; value >>= 1) text.insert(text.begin(), value & 1 ? '1' : '0');
  return text.empty() ? "0" : text;
}

}  // namespace

TEST(flit_bits, each_belongs_to_the_part_that_the_documentation_says) {
  unsigned next = 0;
  for (const part& x : parts()) {
    EXPECT_EQ(x.low, next) << x.name;
    next += x.width;
  }
  ASSERT_EQ(next, flit_bits);
  boost::random::mt19937_64 engine(3);
  const flit_words bits = random_bits(engine);
  for (unsigned bit = 0; bit < flit_bits; ++bit) {
    flit_words other = bits;
    other[bit / 64] ^= std::uint64_t{1} << bit % 64;
    const flit a = from_bits(bits), b = from_bits(other);
    EXPECT_TRUE(a != b) << "bit " << bit;
    EXPECT_FALSE(a == b) << "bit " << bit;
    for (const part& x : parts()) {
      const bool own = bit >= x.low && bit < x.low + x.width;
      EXPECT_EQ(x.get(a) ^ x.get(b), own ? std::uint64_t{1} << (bit - x.low) : 0) << x.name << " bit " << bit;
    }
  }
}

TEST(flit_bits, are_those_of_the_part_that_is_set) {
  for (const part& x : parts())
    for (unsigned bit = 0; bit < x.width; ++bit) {
      flit f = from_bits({});
      x.set(f, std::uint64_t{1} << bit);
      flit_words expected{};
      expected[(x.low + bit) / 64] = std::uint64_t{1} << (x.low + bit) % 64;
      EXPECT_EQ(to_bits(f), expected) << x.name << " bit " << bit;
    }
}

TEST(flit_bits, come_back_as_the_same_flit) {
  boost::random::mt19937_64 engine(7);
  for (int i = 0; i < 1000; ++i) {
    const flit_words bits = random_bits(engine);
    const flit f = from_bits(bits);
    EXPECT_EQ(to_bits(f), bits);
    EXPECT_TRUE(from_bits(to_bits(f)) == f);
  }
}

TEST(flit_bits, of_a_new_flit_are_one_flit_of_data) {
  EXPECT_EQ(to_bits(flit{}), (flit_words{0, std::uint64_t{1} << 48, 0, 0}));
}

TEST(flit_value, numbers_as_many_terminals_networks_and_lanes_as_it_says) {
  flit f;
  f.source = f.destination = flit::most_terminals - 1;
  f.network = flit::most_networks - 1;
  f.lane = flit::most_lanes - 1;
  EXPECT_EQ(f.source, flit::most_terminals - 1);
  EXPECT_EQ(f.destination, flit::most_terminals - 1);
  EXPECT_EQ(f.network, flit::most_networks - 1);
  EXPECT_EQ(f.lane, flit::most_lanes - 1);
  EXPECT_TRUE(accepts(lane_mask{1} << 63, f));
  EXPECT_FALSE(accepts(~lane_mask{0} >> 1, f));
}

TEST(flit_value, knows_head_and_tail) {
  flit f;
  f.length = 3;
  EXPECT_TRUE(f.head() && !f.tail());
  f.index = 1;
  EXPECT_TRUE(!f.head() && !f.tail());
  f.index = 2;
  EXPECT_TRUE(!f.head() && f.tail());
  EXPECT_TRUE(flit{}.head() && flit{}.tail());
  f.length = f.index = 65535;
  EXPECT_FALSE(f.tail());
  f.index = 65534;
  EXPECT_TRUE(f.tail());
}

TEST(flit_value, prints_in_a_few_words) {
  flit f;
  f.source = 3, f.destination = 7, f.packet = 12, f.length = 4;
  std::ostringstream os;
  os << f;
  EXPECT_EQ(os.str(), "3>7 #12 0/4");
}

TEST(flit_waveform, shows_every_part_of_a_signal_and_every_word_of_a_variable) {
  const std::string file = testing::TempDir() + "flit_waveform_" + std::to_string(::getpid());
  packet_signals link("link");
  flit variable;
  sc_core::sc_trace_file* const waves = sc_core::sc_create_vcd_trace_file(file.c_str());
  link.trace(waves);
  using sc_core::sc_trace;
  sc_trace(waves, variable, "variable");
  using namespace sc_core;  // with it a template of SystemC's competes
  sc_trace(waves, static_cast<const sc_signal_in_if<flit>&>(link.data), "literal");
  boost::random::mt19937_64 engine(11);
  flit f;
  for (int i = 0; i < 5; ++i) {
    f = from_bits(random_bits(engine));
    link.data.write(f);
    variable = f;
    sc_core::sc_start(1, sc_core::SC_NS);
  }
  sc_core::sc_start(1, sc_core::SC_NS);
  sc_core::sc_close_vcd_trace_file(waves);
  const auto values = last_values(file + ".vcd");
  for (const part& x : parts())
    for (const char* const name : {"link_data.", "literal."})
      EXPECT_EQ(values.at(std::string(name) + x.name), binary(x.get(f))) << x.name;
  for (unsigned w = 0; w < 4; ++w)
    EXPECT_EQ(values.at("variable.word" + std::to_string(w)), binary(to_bits(f)[w])) << w;
  std::remove((file + ".vcd").c_str());
}
