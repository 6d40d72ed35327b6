#pragma once
#include <memory>
#include <spillway/hw/kernel/clocked.hpp>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/switching/routing.hpp>
#include <vector>

namespace spillway {

/// A packet link between two clocks, of one lane into it: a FIFO that one writes and the other reads. Each
/// side knows of the other's pointer through two registers of its own, so a flit takes two to three cycles of
/// the reading clock, and full rate needs a depth of about eight. A reset of either side empties it: the
/// other side sees it after two of its own cycles, so a reset must last three cycles of the slower clock. A
/// packet that is half across is cut: of one whose reader was reset the rest is thrown away, of one whose
/// writer was reset the rest never comes.
class clock_crossing : public sc_core::sc_module {
public:
  packet_in in{"in"};                       ///< in the time of in_clk
  packet_out out{"out"};                    ///< in the time of out_clk
  sc_core::sc_in<bool> in_clk{"in_clk"};    ///< writing clock, rising edge
  sc_core::sc_in<bool> out_clk{"out_clk"};  ///< reading clock, rising edge
  input<bool> in_rst{"in_rst"};             ///< reset of the writing side, synchronous, active high
  input<bool> out_rst{"out_rst"};           ///< reset of the reading side, the same

  /// `depth`: flits, 1 or more. `routes` and `next` are as a source's: with more than one lane behind it the
  /// crossing looks ahead for each packet.
  clock_crossing(const sc_core::sc_module_name& name, unsigned depth,
                 std::shared_ptr<const routing> routes = {}, link_end next = {});
  ~clock_crossing() override;

  /// Flits in it: written, not yet taken.
  std::uint64_t level() const { return written_flits_ - read_flits_ - lost_ - cut_; }
  /// Flits thrown away by resets so far; final once both sides have seen the reset.
  std::uint64_t lost_in_reset() const { return lost_ + cut_; }

private:
  /// What one side tells the other.
  struct status {
    explicit status(const char* name) : count(name), running((std::string(name) + "_running").c_str()) {}
    sc_core::sc_signal<std::uint64_t> count;  ///< flits written or read since both run
    sc_core::sc_signal<bool> running;
  };
  /// The other side's status behind two registers.
  struct synchroniser {
    std::uint64_t count[2] = {0, 0};
    bool running[2] = {false, false};
    void shift(const status& from) {
      count[1] = count[0], running[1] = running[0];
      count[0] = from.count.read(), running[0] = from.running.read();
    }
  };

  class writer;
  class reader;

  void count_lost();

  std::vector<flit> slots_;
  status written_{"written"}, read_{"read"};
  std::uint64_t written_flits_ = 0, read_flits_ = 0, lost_ = 0, cut_ = 0;
  std::unique_ptr<writer> writer_;
  std::unique_ptr<reader> reader_;
};

}  // namespace spillway
