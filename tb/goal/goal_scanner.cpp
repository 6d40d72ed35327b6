#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <spillway/platforms/config/error.hpp>
#include <spillway/platforms/config/file.hpp>
#include <spillway/tb/goal/goal_scanner.hpp>

namespace spillway {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// For messages: what cannot be shown is left out.
std::string shown(std::string_view token) {
  if (token.empty()) return "the end of the line";
  std::string text;
  for (const char c : token.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
  return "'" + text + "'";
}

}  // namespace

goal_bytes::goal_bytes(std::filesystem::path path) : path_(std::move(path)), file_(open_regular(path_)) {
  struct stat about {};
  fstat(file_, &about);
  size_ = static_cast<std::uint64_t>(about.st_size);
}

std::size_t goal_bytes::read(std::uint64_t offset, char* to, std::size_t size) const {
  const ssize_t got = pread(file_, to, size, static_cast<off_t>(offset));
  if (got < 0) throw config_error(fmt::format("{}: {}", path_.string(), std::strerror(errno)));
  return static_cast<std::size_t>(got);
}

goal_scanner::goal_scanner(std::shared_ptr<const goal_bytes> bytes, const goal_place& from,
                           std::size_t window)
    : bytes_(std::move(bytes)),
      window_(std::max(window, longest_line)),
      buffer_offset_(from.offset),
      line_offset_(from.offset),
      line_(from.line - 1),
      skip_(from.at) {}

void goal_scanner::fail(std::uint32_t column, const std::string& message) const {
  throw config_error(fmt::format("{}:{}:{}: {}", bytes_->path().string(), std::max<std::uint64_t>(line_, 1),
                                 column, message));
}

void goal_scanner::unexpected(const std::string& expected) {
  const std::string_view found = peek();
  fail(static_cast<std::uint32_t>(at_ + 1), fmt::format("expected {}, found {}", expected, shown(found)));
}

/// Drops what has been read and reads on; false at the end of the file.
bool goal_scanner::fill() {
  buffer_.erase(0, start_);
  buffer_offset_ += start_;
  start_ = 0;
  const std::size_t had = buffer_.size();
  buffer_.resize(window_ + longest_line);
  const std::size_t got = bytes_->read(buffer_offset_ + had, buffer_.data() + had, buffer_.size() - had);
  buffer_.resize(had + got);
  return got != 0;
}

bool goal_scanner::next_line() {
  std::size_t end = buffer_.find('\n', start_);
  while (end == std::string::npos && buffer_.size() - start_ <= longest_line) {
    const std::size_t left = buffer_.size() - start_;
    if (!fill()) {
      if (left == 0) return false;
      end = buffer_.size();
      break;
    }
    end = buffer_.find('\n', left);
  }
  ++line_;
  line_offset_ = buffer_offset_ + start_;
  if (end == std::string::npos || end - start_ > longest_line)
    fail(static_cast<std::uint32_t>(longest_line + 1),
         fmt::format("expected lines of at most {} characters", longest_line));
  text_.assign(buffer_, start_, end - start_);
  if (line_offset_ == 0) text_ = without_mark(text_);
  start_ = std::min(end + 1, buffer_.size());
  at_ = std::min(skip_, text_.size());
  std::fill_n(text_.begin(), at_, ' ');  // a comment may end there whose begin has not been read
  blank_comments();
  skip_ = 0;
  return true;
}

void goal_scanner::blank_comments() {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const std::string_view two = std::string_view(text_).substr(i, 2);
    if (in_comment_) {
      in_comment_ = two != "*/";
      text_[i] = ' ';
      if (!in_comment_) text_[++i] = ' ';
    } else if (two == "//") {
      text_.resize(i);
    } else if (two == "/*") {
      in_comment_ = true;
      text_[i] = text_[i + 1] = ' ';
      ++i;
    }
  }
}

/// The next token of the line; empty at its end.
std::string_view goal_scanner::peek() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
  if (at_ == text_.size()) return {};
  std::size_t end = at_ + 1;
  const bool minus = text_[at_] == '-' && end < text_.size() && is_digit(text_[end]);
  if (minus || is_word(text_[at_]))
    while (end < text_.size() && is_word(text_[end])) ++end;
  return std::string_view(text_).substr(at_, end - at_);
}

std::string_view goal_scanner::take() {
  const std::string_view token = peek();
  at_ += token.size();
  return token;
}

void goal_scanner::expect(std::string_view word) {
  if (peek() != word) unexpected(fmt::format("'{}'", word));
  take();
}

std::uint64_t goal_scanner::take_number(const char* what, std::uint64_t most) {
  const std::string_view token = peek();
  if (token.empty() || !std::all_of(token.begin(), token.end(), is_digit)) unexpected(what);
  std::uint64_t value = 0;
  for (const char c : token) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (most - digit) / 10) unexpected(fmt::format("{} of at most {}", what, most));
    value = value * 10 + digit;
  }
  take();
  return value;
}

/// `10b`, or `10 b`.
std::uint64_t goal_scanner::take_bytes() {
  constexpr std::uint64_t most = std::uint64_t{1} << 48;
  const std::string_view token = peek();
  if (token.empty() || !is_digit(token.front())) unexpected("a number of bytes such as 64b");
  if (token.back() == 'b') {
    // The line is our own copy: a blank parts the number from its unit.
    text_[at_ + token.size() - 1] = ' ';
    return take_number("a number of bytes", most);
  }
  const std::uint64_t value = take_number("a number of bytes", most);
  expect("b");
  return value;
}

std::uint32_t goal_scanner::take_peer(bool any, const char* what) {
  if (any && peek() == "-1") {
    take();
    return goal_op::any;
  }
  return static_cast<std::uint32_t>(take_number(what, goal_op::any - 1));
}

void goal_scanner::read_options(goal_op& op) {
  for (std::string_view word = peek(); !word.empty() && word != "}"; word = peek()) {
    if (word == "cpu") {
      take();
      op.cpu = static_cast<std::uint8_t>(take_number("a processor", 255));
    } else if (op.kind != goal_kind::calc && word == "nic") {
      take();
      op.nic = static_cast<std::uint8_t>(take_number("a network interface", 255));
    } else if (op.kind != goal_kind::calc && word == "tag") {
      take();
      op.tag = take_peer(op.kind == goal_kind::recv, "a tag");
    } else {
      unexpected(op.kind == goal_kind::calc ? "'cpu' or the end of the line"
                                            : "'tag', 'cpu', 'nic' or the end of the line");
    }
  }
}

void goal_scanner::read_op(goal_statement& s, std::string_view word) {
  s.is = goal_statement::what::op;
  s.op.line = line_;
  s.op.column = column_;
  if (word == "calc") {
    s.op.size = take_number("a time in nanoseconds", std::uint64_t{1} << 53);
  } else {
    const bool sends = word == "send";
    s.op.kind = sends ? goal_kind::send : goal_kind::recv;
    s.op.size = take_bytes();
    expect(sends ? "to" : "from");
    s.op.peer = take_peer(!sends, "a rank");
  }
  read_options(s.op);
}

void goal_scanner::end_statement() {
  const std::string_view left = peek();
  if (!left.empty() && left != "}") unexpected("the end of the line");
}

goal_statement goal_scanner::next() {
  goal_statement s;
  while (peek().empty())
    if (!next_line()) {
      if (in_comment_) fail(1, "the file ends within a comment: expected '*/'");
      column_ = 1;
      return s;
    }
  column_ = static_cast<std::uint32_t>(at_ + 1);
  const std::string_view word = take();
  if (word == "num_ranks" || word == "rank") {
    s.is = word == "rank" ? goal_statement::what::rank : goal_statement::what::num_ranks;
    s.on_column = static_cast<std::uint32_t>((peek(), at_) + 1);
    s.number = take_number(word == "rank" ? "a rank" : "a number of ranks",
                           std::numeric_limits<std::uint64_t>::max());
    if (s.is == goal_statement::what::rank) expect("{");
  } else if (word == "}") {
    s.is = goal_statement::what::close;
  } else if (word == "calc" || word == "send" || word == "recv") {
    read_op(s, word);
  } else if (is_word(word.front()) && !is_digit(word.front())) {
    s.label = word;
    if (peek() == ":") {
      take();
      const std::string_view op = peek();
      if (op != "calc" && op != "send" && op != "recv") unexpected("calc, send or recv");
      take();
      read_op(s, op);
    } else if (peek() == "requires" || peek() == "irequires") {
      s.is = goal_statement::what::needs;
      s.on_start = take() == "irequires";
      s.on_column = static_cast<std::uint32_t>((peek(), at_) + 1);
      s.on = peek();
      if (s.on.empty() || !is_word(s.on.front()) || is_digit(s.on.front())) unexpected("a label");
      take();
      end_statement();
    } else {
      unexpected("':', 'requires' or 'irequires'");
    }
  } else {
    at_ = column_ - 1;
    unexpected("num_ranks, rank, calc, send, recv, a label or '}'");
  }
  return s;
}

}  // namespace spillway
