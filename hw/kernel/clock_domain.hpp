#pragma once
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <spillway/hw/kernel/domain_part.hpp>
#include <spillway/hw/kernel/huge_pages.hpp>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

namespace spillway {

class clocked;
class stepped;
class thread_team;
class wire_watcher;

/// The fast kernel: steps the blocks whose `clk` is bound to it, and of those only the ones that have
/// something to do. A block is called at an edge if one of its inputs was written with a new value at the one
/// before, or if it asked for that cycle; else it sleeps.
///
/// All outputs are registered, so the order of the calls does not matter and a cycle has no delta
/// cycles. The domain runs freely with its period, or at the rising edges of `clk` if that is bound:
/// then blocks of the domain, whose pins may also be bound to sc_signals, see the same values as the
/// user's own processes on that clock. Wires of a domain may be read and written from outside between
/// edges.
///
/// Several threads can step it, each a part of the blocks, with the same results: see use_threads().
class clock_domain : public sc_core::sc_module, public sc_core::sc_signal_in_if<bool> {
public:
  /// Optional: what to follow instead of the period.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> clk{"clk"};

  /// The first edge is at `period`/2, as sc_clock's posedge with start time period/2. Without `clk` an
  /// SC_REPORT_ERROR at the end of the elaboration if it is 0.
  clock_domain(const sc_core::sc_module_name& name, const sc_core::sc_time& period);

  ~clock_domain() override;

  std::uint64_t cycle() const { return parts_[0]->cycle(); }  ///< edges so far; during one, those before it
  std::size_t size() const { return blocks_.size() - 1; }     ///< blocks that it steps
  /// Block calls so far: what the fast kernel worked.
  std::uint64_t calls() const;

  /// Carries out one edge. Called by the domain's own process; also by benchmarks.
  void step();

  /// From now on calls sleepers, too, and holds them to it: an SC_REPORT_ERROR names the block and the cycle
  /// when a sleeper changes what a wire will show, or asks for a cycle that it had not asked for. A check of
  /// blocks, for tests: the results stay the same. Before the first edge, with one thread.
  void doubt_sleepers();

  /// Has up to `threads` threads, 1 to 64, step the domain side by side, each with `least` blocks or more,
  /// from the first edge on. To be said before the end of the elaboration, else std::logic_error. A block,
  /// what it is made of, and who only watches its wires are one part; where few are called one thread does
  /// all. Blocks that share more than wires have an edge_log. One thread steps all if a block reaches_out(),
  /// as by pins on signals.
  void use_threads(unsigned threads, unsigned least = 1);
  /// Threads that step it, known from the start of the simulation on, and why there are fewer than wanted;
  /// empty: there are not.
  unsigned threads() const { return static_cast<unsigned>(parts_.size()); }
  /// Empty: there are as many as wanted, or the simulation has not started.
  const std::string& why_fewer() const { return why_fewer_; }

  /// What blocks say otherwise than by wires at an edge of several threads, see edge_log.hpp.
  class after_edge {
  public:
    /// So many parts of the domain, each of one thread, will say something. Called before the first edge.
    virtual void use_parts(std::size_t parts) = 0;
    /// Called once, after all blocks of the edge: what is said from now on is of the next one.
    virtual void end_edge() = 0;
    /// Called once, by one thread: tells what was said at the edge that has ended.
    virtual void hand_on() = 0;

  protected:
    ~after_edge() = default;
  };
  /// It must outlive the domain's last edge. `late`: the first thread hands it on beside the blocks of the
  /// next edge, and has fewer blocks.
  void add_log(after_edge& log, bool late) {
    log.use_parts(parts_.size());
    (late ? late_logs_ : logs_).push_back(&log);
  }
  /// Hands on what is late. To be called between two edges, before anybody asks who is told.
  void catch_up() {
    for (after_edge* const log : late_logs_) log->hand_on();
  }

  /// @{
  /// As in domain_part.
  static constexpr std::uint32_t no_block = domain_part::no_block;
  using reader_list = domain_part::reader_list;
  using bank_base = domain_part::bank_base;
  /// @}
  /// The part whose banks new wires are in.
  domain_part& first_part() { return *parts_[0]; }
  /// A wire of the domain, which moves to the part of who writes it.
  class wire_base {
  public:
    virtual reader_list readers() const = 0;  ///< blocks that are woken by new values
    /// What is written from now on is shown by `part`; nothing is to be shown.
    virtual void move_to(domain_part& part) = 0;

  protected:
    ~wire_base() = default;
  };
  /// A wire and the number of the block that writes it; before the first edge.
  void add_wire(std::uint32_t writer, wire_base& w) {
    if (wanted_threads_ > 1) written_wires_.push_back({writer, &w});
  }
  /// Which thread steps what is decided now: wires have their places.
  void begin() {
    if (!begun_) divide();
  }
  /// The blocks named so share more than wires: one thread steps them all. Before the end of the elaboration.
  void keep_together(const clocked& block) { together_.push_back(&block); }
  /// A channel that blocks may write although several threads step them: it hands that on by an edge_log.
  class shared_channel {
  protected:
    ~shared_channel() = default;
  };
  /// Calls the block at every edge: it reads what is no wire of the domain.
  void keep_awake(std::uint32_t block) {
    parts_[0]->sleepless_.push_back(block);
    reaches_out(block);
  }
  /// The block uses what is neither a wire of the domain nor a shared_channel, such as signals or sockets.
  void reaches_out(std::uint32_t block) {
    if (reaches_out_ == no_block) reaches_out_ = block;
  }
  /// Those, and `block` too.
  reader_list with_reader(reader_list readers, std::uint32_t block);
  /// Takes the block in and says its number, from 1 on; it is called at the first edge. Throws
  /// std::length_error after 2^23 - 1 of them.
  std::uint32_t add(stepped& block);
  /// Has it join at the end of the elaboration; after that an SC_REPORT_ERROR.
  void add_watcher(wire_watcher& watcher);

  /// Where the domain keeps what is touched at every edge, apart from the modules and ports that are
  /// not: they are many times as large. Freed with the domain.
  std::pmr::memory_resource& hot_memory() { return hot_memory_; }
  /// Moves what a block touches when data moves beside its other such data.
  template <class T>
  T* data_of(std::uint32_t block, T& item) {
    T* const place = new (data_memory_.allocate(sizeof(T), alignof(T))) T(std::move(item));
    note_data(block, place);
    return place;
  }

  // The clock as a pin: it has no waveform of its own, blocks are called instead.
  /// @{
  /// Reports an error `spillway/clock_domain`, as there is none: a process that follows the clock takes the
  /// `clk` that the domain follows.
  const sc_core::sc_event& value_changed_event() const override { return report_follower(); }
  const sc_core::sc_event& posedge_event() const override { return report_follower(); }
  const sc_core::sc_event& negedge_event() const override { return report_follower(); }
  const sc_core::sc_event& default_event() const override { return report_follower(); }
  /// @}
  /// @{
  /// Always low.
  const bool& read() const override { return high_; }
  const bool& get_data_ref() const override { return high_; }
  /// @}
  /// @{
  /// Never.
  bool event() const override { return false; }
  bool posedge() const override { return false; }
  bool negedge() const override { return false; }
  /// @}

private:
  friend class domain_part;
  struct written_wire {
    std::uint32_t writer;
    wire_base* wire;
  };
  struct work {                          // by block
    std::vector<std::uint64_t> pins;     // of it and who goes with it
    std::vector<std::uint32_t> watched;  // whom it watches, if it writes nothing
  };

  void end_of_elaboration() override;
  void start_of_simulation() override;
  static bool elaborating();
  void note_data(std::uint32_t block, const void* place);
  void run_free();
  const sc_core::sc_event& report_follower() const;
  void fetch(std::size_t block) const;
  void step_together();
  void step_first();
  void make_reports();
  void divide();
  std::vector<std::uint32_t> leaders() const;
  work count_pins(const std::vector<std::uint32_t>& leader) const;
  std::vector<unsigned> partition(unsigned parts) const;
  void distribute(unsigned threads);

  sc_core::sc_time period_;
  huge_pages pages_;
  std::pmr::monotonic_buffer_resource hot_memory_{&pages_}, data_memory_{&pages_};
  std::vector<stepped*> blocks_{nullptr};           // by number; the first is nobody
  std::vector<wire_watcher*> watchers_;             // until the start of the simulation
  std::vector<const char*> data_{nullptr};          // where each block's data begins
  std::vector<std::vector<std::uint32_t>> groups_;  // of blocks that read the same wire
  std::vector<std::unique_ptr<domain_part>> parts_;
  std::vector<after_edge*> logs_, late_logs_;
  unsigned wanted_threads_ = 1, least_blocks_ = 1;
  std::string why_fewer_;
  std::vector<const clocked*> together_;
  std::uint32_t reaches_out_ = no_block;     // the first such block
  std::vector<written_wire> written_wires_;  // until they have their places, of several threads
  std::unique_ptr<thread_team> team_;
  bool begun_ = false;
  bool high_ = false;
  bool started_ = false;
  sc_core::sc_event never_;
};

}  // namespace spillway
