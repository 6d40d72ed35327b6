#include <spillway/hw/combining/wait_buffer.hpp>
#include <spillway/hw/combining/wait_buffer_checker.hpp>
#include <sstream>

namespace spillway {

namespace {

std::uint64_t key_of_request(const flit& request) { return request_key(request.source, request.packet); }
std::uint64_t key_of_reply(const flit& reply) { return request_key(reply.destination, reply.packet); }

}  // namespace

wait_buffer_checker::wait_buffer_checker(const sc_core::sc_module_name& name, std::string watched,
                                         const combining_config& config, violation_handler handler)
    : clocked(name), watched_(std::move(watched)), config_(config), handler_(std::move(handler)) {}

void wait_buffer_checker::reset() {
  open_.clear();
  held_ = 0;
}

void wait_buffer_checker::fail(const char* rule, const flit& f, const std::string& what) {
  ++violations_;
  std::ostringstream text;
  text << f << ' ' << what;
  report_violation(handler_, rule, watched_, now, text.str());
}

void wait_buffer_checker::check_port(const flit& reply, unsigned found, unsigned expected) {
  if (found != expected)
    fail("WB3", reply,
         "leaves by port " + std::to_string(found) + ", its request came by " + std::to_string(expected));
}

void wait_buffer_checker::passed(const flit& r, unsigned port) {
  if (!open_.insert({key_of_request(r), {port}}).second) fail("WB2", r, "comes a second time");
}

void wait_buffer_checker::merged(const flit& survivor, const flit& r, unsigned port) {
  if (!ask_for_the_same(survivor, r, config_)) fail("WB4", r, "becomes part of a request for something else");
  request& with = open_[key_of_request(survivor)];
  ++with.joined;
  if (!open_.insert({key_of_request(r), {port, true, key_of_request(survivor)}}).second)
    fail("WB2", r, "comes a second time");
  if (++held_ > config_.records && config_.records)
    fail("WB1", r,
         "is one of " + std::to_string(held_) + " merged requests, of at most " +
             std::to_string(config_.records));
}

void wait_buffer_checker::split(const flit& reply, const flit& branch, unsigned port) {
  const auto found = open_.find(key_of_reply(branch));
  if (found == open_.end() || !found->second.merged || found->second.survivor != key_of_reply(reply))
    return fail("WB2", branch, "is split from a reply whose request its own was not merged into");
  check_port(branch, port, found->second.port);
  open_.erase(found);
  --open_[key_of_reply(reply)].joined;
}

void wait_buffer_checker::turned_back(const flit& reply, unsigned port) {
  const auto found = open_.find(key_of_reply(reply));
  if (found == open_.end() || found->second.merged)
    return fail("WB2", reply, "answers no request that has passed");
  check_port(reply, port, found->second.port);
  if (found->second.joined)
    fail("WB2", reply,
         "leaves " + std::to_string(found->second.joined) + " requests merged into its own without a reply");
  open_.erase(found);
}

}  // namespace spillway
