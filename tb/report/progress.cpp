#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <spillway/tb/report/progress.hpp>
#include <utility>

namespace spillway {

namespace {

std::string duration(double seconds) {
  const auto s = std::llround(std::min(seconds, 3.6e8));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

std::string rate_text(double rate, const std::string& unit) {
  if (rate >= 1e6) return fmt::format("{:.2f} M{}s/s", rate / 1e6, unit);
  if (rate >= 1e3) return fmt::format("{:.1f} k{}s/s", rate / 1e3, unit);
  if (rate > 0 && rate < 10) return fmt::format("{:.1f} {}s/s", rate, unit);
  return fmt::format("{:.0f} {}s/s", rate, unit);
}

}  // namespace

progress::progress(std::uint64_t total, std::string unit)
    : total_(total), unit_(std::move(unit)), shown_(::isatty(STDERR_FILENO) == 1) {}

std::string progress::line(std::uint64_t cycle, std::uint64_t total, double seconds,
                           const std::string& unit) {
  const double rate = seconds > 0 ? static_cast<double>(cycle) / seconds : 0;
  if (total == 0) return fmt::format("{} {}, {}", unit, cycle, rate_text(rate, unit));
  const double share = std::min(1.0, static_cast<double>(cycle) / static_cast<double>(total));
  std::string text =
      fmt::format("{} {} of {} ({:.0f} %), {}", unit, cycle, total, 100 * share, rate_text(rate, unit));
  if (rate > 0 && cycle <= total)
    text += fmt::format(", {} left", duration(static_cast<double>(total - cycle) / rate));
  return text;
}

void progress::say(const std::string& what) {
  if (!shown_) return;
  std::fprintf(stderr, "\r%s\033[K", what.c_str());
  std::fflush(stderr);
  dirty_ = said_ = true;
}

void progress::update(std::uint64_t cycle) {
  if (!shown_) return;
  const auto now = clock::now();
  if (std::exchange(said_, false)) start_ = now;
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::fprintf(stderr, "\r%s\033[K", line(cycle, total_, seconds, unit_).c_str());
  std::fflush(stderr);
  dirty_ = true;
}

void progress::finish() {
  if (!dirty_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  dirty_ = false;
}

}  // namespace spillway
