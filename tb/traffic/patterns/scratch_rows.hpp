#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <spillway/platforms/config/descriptor.hpp>
#include <type_traits>
#include <vector>

namespace spillway {

/// Bytes outside of memory: a temporary file without a name, in TMPDIR or else /tmp, which is gone with this
/// object. Throws io_error when it cannot be made, written or read.
class scratch_file {
public:
  scratch_file();

  void write(std::uint64_t offset, const void* from, std::size_t bytes);
  void read(std::uint64_t offset, void* to, std::size_t bytes) const;

private:
  const descriptor file_;
};

/// Rows of a table that may be longer than memory has room for: the last ones are kept, those before are in a
/// scratch file. When no more are added, several threads may read them, and each set rows of its own.
template <class Row>
class scratch_rows {
  static_assert(std::is_trivially_copyable_v<Row> && !std::is_same_v<Row, bool>);

public:
  void add(const Row& row) {
    if (last_.size() == most_kept) {
      if (!file_) file_.emplace();
      file_->write(written_ * sizeof(Row), last_.data(), last_.size() * sizeof(Row));
      written_ += last_.size();
      last_.clear();
    }
    last_.push_back(row);
  }
  Row at(std::uint64_t number) const {
    if (number >= written_) return last_.at(number - written_);
    Row row;
    file_->read(number * sizeof(Row), &row, sizeof row);
    return row;
  }
  void set(std::uint64_t number, const Row& row) {
    if (number >= written_)
      last_.at(number - written_) = row;
    else
      file_->write(number * sizeof(Row), &row, sizeof row);
  }
  std::uint64_t size() const { return written_ + last_.size(); }
  /// Calls `look` with each row, in order.
  template <class Look>
  void for_each(const Look& look) const {
    std::vector<Row> rows(most_kept);
    for (std::uint64_t n = 0; n < written_; n += most_kept) {
      file_->read(n * sizeof(Row), rows.data(), most_kept * sizeof(Row));
      for (const Row& row : rows) look(row);
    }
    for (const Row& row : last_) look(row);
  }

private:
  static constexpr std::size_t most_kept = 4096;

  std::optional<scratch_file> file_;  // made when it is needed
  std::uint64_t written_ = 0;         // rows in the file
  std::vector<Row> last_;             // those after them
};

}  // namespace spillway
