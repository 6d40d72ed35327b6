#pragma once
#include <cstdint>
#include <exception>
#include <spillway/tb/report/atomic_file.hpp>
#include <string>
#include <vector>

namespace spillway {

/// Which part of a run is recorded, and where.
struct packet_trace_config {
  std::string file;
  std::uint64_t from = 0, until = 0;  ///< cycles [from, until); until = 0: to the end
  std::uint64_t limit = 0;            ///< bytes at which it ends; 0: none
};

/// A Chrome trace in JSON, which Perfetto opens: named tracks with slices, and flows between slices. What
/// overlaps on a track lies in several rows; what lies outside of the window is left out.
class chrome_trace {
public:
  /// Throws io_error if the file cannot be written.
  explicit chrome_trace(const packet_trace_config& config);

  /// Length of a cycle in microseconds; before the first slice.
  void set_cycle(double us) { cycle_us_ = us; }
  /// Tracks are shown in the order in which they are made.
  unsigned new_track(const std::string& name);

  /// Where a flow may touch a slice; row -1: the slice was left out.
  struct place {
    unsigned track = 0;
    int row = -1;
    std::uint64_t from = 0, until = 0;  ///< cycles of the slice
  };
  /// [from, until), at least a cycle. `arguments`: members of a JSON object, more than none.
  place slice(unsigned track, std::uint64_t from, std::uint64_t until, const std::string& name,
              const std::string& arguments);
  /// An arrow over the slices in their order, from the first, or from its last cycle if `from_end`, to the
  /// beginning of the last, or to its last cycle if `to_end`. Slices that were left out are passed over,
  /// and those that begin after the end.
  void flow(const std::vector<place>& over, const std::string& name, bool from_end, bool to_end);

  /// Writes the rest; nothing is left of a file without it. Throws io_error, also for what could not be
  /// written before.
  void finish();
  /// The cycle at which the limit has ended it; 0 if it has not.
  std::uint64_t cut_at() const { return cut_at_; }

private:
  struct row_ends {
    std::vector<std::uint64_t> rows;  // by row: cycle up to which it is taken
  };
  void write(const std::string& event);

  const packet_trace_config config_;
  atomic_file file_;
  std::exception_ptr failed_;  // by what could not be written, for finish()
  std::vector<row_ends> tracks_;
  double cycle_us_ = 1e-3;
  std::uint64_t bytes_ = 0, cut_at_ = 0, last_ = 0, flows_ = 0;
};

}  // namespace spillway
