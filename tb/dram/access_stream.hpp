#pragma once
#include <memory>
#include <spillway/tb/traffic/random.hpp>
#include <vector>

namespace spillway {

/// Which accesses processors make.
struct access_config {
  enum class pattern : std::uint8_t { uniform, stride, hot_page, embedding };
  pattern what = pattern::uniform;
  std::uint64_t space = 1;  ///< accesses that there are
  std::uint32_t processors = 1;
  std::uint64_t stride = 1;   ///< from one access to the next, over all processors in turn
  std::uint64_t page = 32;    ///< accesses of the hot page, the first of the space
  double hot = 0.5;           ///< share of the accesses to it
  std::uint32_t entries = 1;  ///< of the embedding's table
  std::uint32_t entry = 4;    ///< accesses of an entry, which are read one after another
  double skew = 1;            ///< exponent of Zipf's law over the entries
  std::uint64_t seed = 1;

  /// Throws std::invalid_argument with the rule and the value.
  void check() const;
};

/// What all processors share of a table: how popular its entries are, and where they lie.
class embedding_table {
public:
  explicit embedding_table(const access_config& config);
  /// An entry, drawn.
  std::uint32_t draw(random_stream& random) const;

private:
  std::vector<double> up_to_;           // by popularity
  std::vector<std::uint32_t> entries_;  // by popularity
};

/// The accesses of one processor, one after another; the same whatever the network does.
class access_stream {
public:
  /// `table`: for embedding only.
  access_stream(const access_config& config, std::shared_ptr<const embedding_table> table,
                std::uint32_t processor);
  std::uint64_t next();

private:
  const access_config config_;
  const std::shared_ptr<const embedding_table> table_;
  const std::uint32_t processor_;
  random_stream random_;
  std::uint64_t made_ = 0, within_ = 0;  // of the entry
};

}  // namespace spillway
