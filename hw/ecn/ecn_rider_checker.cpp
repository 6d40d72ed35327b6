#include <spillway/hw/ecn/ecn_marks.hpp>
#include <spillway/hw/ecn/ecn_rider_checker.hpp>
#include <sstream>

namespace spillway {

namespace {

bool is_marked(const flit& f) { return f.marks & ecn::backward; }

}  // namespace

ecn_rider_checker::ecn_rider_checker(const sc_core::sc_module_name& name, std::string unit,
                                     unsigned terminals, violation_handler handler)
    : clocked(name), unit_(std::move(unit)), handler_(std::move(handler)), owed_(terminals) {}

void ecn_rider_checker::reset() {
  owed_.assign(owed_.size(), false);
  marked_.clear();
  returned_.reset();
}

void ecn_rider_checker::tick() {
  watch_marks();
  watch_notices();
  bool again = returned_.has_value();
  for (const packet_watch* const link : {&notifications, &acks, &reflected, &returned, &notices})
    again |= link->crosses();
  if (again) wake_at(cycle() + 1);
}

/// What enters at this edge leaves at a later one.
void ecn_rider_checker::watch_marks() {
  if (reflected.crosses() && reflected.data.read().head()) {
    const flit& f = reflected.data.read();
    const bool expected = !marked_.empty() && marked_.front();
    if (!marked_.empty()) marked_.pop_front();
    if (is_marked(f) != expected) {
      std::ostringstream what;
      what << "acknowledgement " << f << " leaves "
           << (expected ? "without the mark that it bears" : "with a mark that nobody notified");
      fail("EC4", what.str());
    }
  }
  if (notifications.crosses()) owed_[notifications.data.read().destination % owed_.size()] = true;
  if (acks.crosses() && acks.data.read().head()) {
    const flit& f = acks.data.read();
    std::vector<bool>::reference owed = owed_[f.destination % owed_.size()];
    marked_.push_back(owed || is_marked(f));
    owed = false;
  }
}

void ecn_rider_checker::watch_notices() {
  const bool notified = notices.crosses();
  std::ostringstream what;
  if (notified && (returned_ != notices.data.read().source || !ecn::is_notification(notices.data.read())))
    what << "notification " << notices.data.read()
         << ": no acknowledgement with a mark came from there just now";
  else if (!notified && returned_)
    what << "nothing is said of the mark on the acknowledgement from " << *returned_;
  if (!what.str().empty()) fail("EC5", what.str());
  returned_.reset();
  if (returned.crosses() && returned.data.read().head() && is_marked(returned.data.read()))
    returned_ = returned.data.read().source;
}

void ecn_rider_checker::fail(const char* rule, const std::string& what) {
  ++violations_;
  report_violation(handler_, rule, unit_.empty() ? name() : unit_, cycle(), what);
}

}  // namespace spillway
