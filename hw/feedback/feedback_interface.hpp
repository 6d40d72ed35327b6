#pragma once
#include <cstdint>
#include <deque>
#include <spillway/hw/endpoints/endpoints.hpp>
#include <spillway/hw/feedback/admission_link.hpp>
#include <spillway/hw/feedback/feedback_link.hpp>
#include <spillway/hw/feedback/hot_list.hpp>

namespace spillway {

/// Which blocked requests may go although their module is hot.
enum class bleeding {
  none,     ///< none may
  granted,  ///< those that an admission arbiter picks
  slots,    ///< those of the processors whose number a counter shows (section 6.3)
  random,   ///< each with the same probability in each cycle (section 7)
};

/// What an interface hears of hot modules, and what it does with requests to them.
struct feedback_interface_config {
  unsigned terminals = 0;           ///< processors and modules
  unsigned hot_list = 0;            ///< modules that the list of hot modules holds; 0: any number
  bool bus = false;                 ///< hears of changes over the bus, else over the lines
  unsigned set_aside = 0;           ///< blocked requests that later ones may pass; 0: all go in order
  bleeding bleed = bleeding::none;  ///< of requests to hot modules
  bool grants_need_room =
      false;               ///< wishes for grants only while the first stage has room; else some are lost
  unsigned slots = 1;      ///< processors a cycle, of bleeding by slots; 1 to terminals
  double probability = 0;  ///< of random bleeding, 0 to 1
  bool limited = false;    ///< every request needs a grant, and no list of hot modules is kept
  std::uint64_t seed = 1;  ///< of random bleeding

  /// Throws std::invalid_argument that names the rule and the values.
  void check() const;
  /// It has an admission link.
  bool has_arbiter() const { return limited || bleed == bleeding::granted; }
};

/// Processor network interface of an omega network with feedback (Farrens, Wetmore and Woodruff): sends at
/// most one request a cycle and holds back those to hot modules. A blocked request waits and is tried again
/// each cycle; those behind it wait too, unless blocked ones may be set aside. Of the requests to one module
/// none overtakes another. A request that is already shown to the network goes, hot or not.
class feedback_interface final : public source {
public:
  row<input<feedback_lines::word>> lines;  ///< `lines<w>`: hot modules, without a bus
  row<feedback_bus_in> bus;                ///< `bus0`, with one
  row<admission_client> admission;         ///< `admission0`, if something needs grants

  /// As a source's; `config`: throws as feedback_interface_config::check().
  feedback_interface(const sc_core::sc_module_name& name, unsigned terminal,
                     const feedback_interface_config& config, std::unique_ptr<packet_supply> supply,
                     endpoint_observer& observer, std::shared_ptr<const routing> routes, link_end next,
                     unsigned queue = 0);

  const feedback_interface_config& config() const { return config_; }  ///< what it was made with
  std::uint64_t backlog_flits() const override;
  /// Requests that are set aside, the hot modules that it knows, and the clock of its slots if it bleeds by
  /// them; no queue of the terminal.
  hardware_size storage() const override {
    hardware_size all{config_.set_aside, 0, 0};
    if (!config_.limited) all += hot_.storage();
    if (config_.bleed == bleeding::slots) all.bits += bits_below(config_.terminals);
    return all;
  }
  const hot_list& known_hot() const { return hot_; }  ///< hot modules, as of the last edge
  /// Requests sent although their module was hot, grants that came too late, most requests set aside.
  std::uint64_t bled() const { return bled_; }
  std::uint64_t unused_grants() const { return unused_grants_; }  ///< only with bleeding by grants
  std::size_t most_set_aside() const { return most_aside_; }      ///< at once

private:
  void reset() override;
  void tick() override;
  bool choose(flit& chosen) override;
  std::size_t unseen_by_supply() const override;

  void listen();
  bool set_aside();
  bool is_aside(std::uint32_t module) const;
  bool take(bool hot, flit& chosen);
  bool may_bleed(const flit& head, bool anywhere = false) const;
  const flit* blocked(bool anywhere = false) const;
  bool permitted();
  admission_wish wish() const;
  bool toss();
  bool has_slot(std::uint64_t at) const;
  void wake_for_slot();

  const feedback_interface_config config_;
  hot_list hot_;
  std::deque<flit> aside_;         // heads of blocked requests that later ones may pass, oldest first
  unsigned grants_ = 0;            // not used yet
  std::uint64_t first_cycle_ = 0;  // after the reset; the slot counter counts from it
  std::uint64_t alarm_ = 0;        // cycle of the next slot that it waits for
  std::uint64_t tosses_ = 0;
  std::uint64_t bled_ = 0, unused_grants_ = 0;
  std::size_t most_aside_ = 0;
};

}  // namespace spillway
