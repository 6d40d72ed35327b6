#pragma once
#include <boost/crc.hpp>
#include <filesystem>
#include <sstream>
#include <string>

#include "support/process.hpp"

namespace spillway::testing_support {

/// CRC-32, as hexadecimal digits.
inline std::string crc32(const std::string& text) {
  boost::crc_32_type crc;
  crc.process_bytes(text.data(), text.size());
  std::ostringstream out;
  out << std::hex << crc.checksum();
  return out.str();
}

/// Of all numbers that a run has left in its folder.
inline std::string sum_of_numbers(const std::filesystem::path& folder) {
  std::string all;
  for (const char* name :
       {"result.json", "series.csv", "histogram.csv", "links.csv", "switches.csv", "network.json"})
    all += read_text(folder / name);
  return crc32(all);
}

}  // namespace spillway::testing_support
