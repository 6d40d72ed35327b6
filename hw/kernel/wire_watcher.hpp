#pragma once
#include <spillway/hw/kernel/stepped.hpp>
#include <spillway/hw/kernel/wire.hpp>

namespace spillway {

/// Who only looks at wires of a clock domain, such as the checker of a platform's link, without being a
/// module: it has neither ports nor a name of SystemC's. Once made it must outlive the last edge of the
/// domain, which knows where it is.
class wire_watcher : public stepped {
public:
  /// Rising edges before the current one.
  std::uint64_t cycle() const { return part_->cycle(); }

protected:
  /// `reset`: synchronous, active high. To be made before the end of the elaboration: later there is an
  /// SC_REPORT_ERROR, as it would never be called.
  explicit wire_watcher(wire<bool>& reset);

  /// Has new values of the wires wake it, by watch(). Called once the ends of all links have joined the
  /// domain.
  virtual void join() = 0;
  /// Takes the places of the values, by place_of(). Called at the start of the simulation.
  virtual void take_places() = 0;

  /// New values of `w` wake it. An SC_REPORT_ERROR if it is a wire of another domain.
  template <class T>
  void watch(wire<T>& w) {
    expect_domain(w.domain());
    w.add_reader(domain_index());
  }
  /// Where the value of `w` is from now on.
  template <class T>
  static const T* place_of(const wire<T>& w) {
    return &w.final_cell().read();
  }

private:
  friend class clock_domain;
  void step_slowly() override;
  void join_domain();
  void begin_simulation();
  void expect_domain(const clock_domain& domain) const;

  wire<bool>& reset_wire_;
};

}  // namespace spillway
