#pragma once
#include <array>
#include <cstdint>
#include <spillway/hw/switching/masks.hpp>
#include <vector>

// Sets of what the ports of a switch have: channels, queues, links. Member m of port p is number
// p * stride + m, where stride() of the set says how many numbers a port takes. Both kinds have the same
// operations; each() goes upwards, and what it calls may erase the number that it is called for.

namespace spillway {

/// A set of numbers below 64 in one word.
class word_set {
public:
  static constexpr unsigned size = 64;  ///< numbers are below it
  using index = std::uint8_t;           ///< holds a number
  using compact = word_set;             ///< the same set in little memory
  /// Something for every number.
  template <class T>
  struct table : std::array<T, size> {
    /// With a value-initialised item for every number.
    explicit table(unsigned /*numbers*/) : std::array<T, size>{} {}
  };
  /// Numbers that a port with so many members takes.
  static constexpr unsigned stride(unsigned members) { return members; }
  /// Numbers below `number` that are in use, when each port has so many members.
  static constexpr unsigned dense(unsigned number, unsigned /*members*/) { return number; }

  word_set(std::uint64_t bits = 0) : bits_(bits) {}  ///< bit i for number i

  bool empty() const { return bits_ == 0; }                    ///< has no number
  bool several() const { return (bits_ & (bits_ - 1)) != 0; }  ///< has two or more
  bool contains(unsigned n) const { return bits_ >> n & 1; }   ///< has `n`
  void insert(unsigned n) { bits_ |= masks::bit(n); }          ///< adds `n`
  void erase(unsigned n) { bits_ &= ~masks::bit(n); }          ///< takes `n` out, if it is there
  void clear() { bits_ = 0; }                                  ///< takes all out
  /// Members of the port whose numbers start at `first`, of those in `all`.
  std::uint64_t members(unsigned first, std::uint64_t all) const { return bits_ >> first & all; }
  /// Those of the port whose numbers start at `first`, and that are in `all`, become `members`.
  void assign(unsigned first, std::uint64_t all, std::uint64_t members) {
    bits_ = (bits_ & ~(all << first)) | members << first;
  }
  /// Of the port whose numbers start at `first`.
  void add(unsigned first, std::uint64_t members) { bits_ |= members << first; }
  /// The first number at or after `n`, or else the lowest; the set is not empty.
  unsigned first_from(unsigned n) const {
    const std::uint64_t from = bits_ & (~std::uint64_t{0} << n);
    return masks::lowest(from ? from : bits_);
  }
  /// Calls f(n) for every number, upwards.
  template <class F>
  void each(F&& f) const {
    for (std::uint64_t rest = bits_; rest; rest &= rest - 1) f(masks::lowest(rest));
  }

  word_set& operator|=(word_set o) { return bits_ |= o.bits_, *this; }             ///< adds those of `o`
  friend word_set operator&(word_set a, word_set b) { return a.bits_ & b.bits_; }  ///< numbers of both
  /// Numbers of `a` that are not in `b`.
  friend word_set operator-(word_set a, word_set b) { return a.bits_ & ~b.bits_; }
  friend bool operator==(word_set a, word_set b) { return a.bits_ == b.bits_; }  ///< the same numbers

private:
  std::uint64_t bits_;
};

/// A set of up to 64 members of each of up to 64 ports, on two levels: the ports that have any, and a word of
/// members a port. It costs as much as is in it: words of other ports are not looked at.
class two_level_set {
public:
  /// @{
  /// As of word_set; a port takes 64 numbers.
  static constexpr unsigned size = 64 * 64;
  using index = std::uint16_t;
  template <class T>
  using table = std::vector<T>;
  static constexpr unsigned stride(unsigned /*members*/) { return 64; }
  static constexpr unsigned dense(unsigned number, unsigned members) {
    return number / 64 * members + number % 64;
  }
  /// @}

  /// The same in little memory, to be kept by the thousand.
  class compact {
  public:
    /// Takes over the numbers of `set`.
    void operator=(const two_level_set& set) {
      words_.clear();
      set.each_port([this](unsigned port, std::uint64_t members) { words_.push_back({port, members}); });
    }
    /// Numbers of both.
    friend two_level_set operator&(const compact& a, const two_level_set& b) {
      two_level_set both;
      for (const word& w : a.words_) both.add(w.port * 64, b.members(w.port * 64, w.members));
      return both;
    }

  private:
    struct word {
      unsigned port;
      std::uint64_t members;
    };
    std::vector<word> words_;
  };

  two_level_set() : ports_(0) {}  // a word means something once its port is listed
  /// @{
  /// Copies the words of listed ports only.
  two_level_set(const two_level_set& o) { *this = o; }
  two_level_set& operator=(const two_level_set& o) {
    ports_ = o.ports_;
    o.each_port([this](unsigned port, std::uint64_t members) { members_[port] = members; });
    return *this;
  }
  /// @}

  /// @{
  /// As of word_set.
  bool empty() const { return ports_ == 0; }
  bool several() const {
    const auto more_than_one = [](std::uint64_t word) { return (word & (word - 1)) != 0; };
    return ports_ && (more_than_one(ports_) || more_than_one(members_[masks::lowest(ports_)]));
  }
  bool contains(unsigned n) const { return has(n / 64) && (members_[n / 64] >> n % 64 & 1); }
  void insert(unsigned n) { add(n - n % 64, masks::bit(n % 64)); }
  void erase(unsigned n) {
    if (has(n / 64)) put(n / 64, members_[n / 64] & ~masks::bit(n % 64));
  }
  void clear() { ports_ = 0; }
  std::uint64_t members(unsigned first, std::uint64_t all) const {
    return has(first / 64) ? members_[first / 64] & all : 0;
  }
  void assign(unsigned first, std::uint64_t all, std::uint64_t members) {
    put(first / 64, (this->members(first, ~all)) | members);
  }
  void add(unsigned first, std::uint64_t members) {
    put(first / 64, this->members(first, ~std::uint64_t{0}) | members);
  }
  unsigned first_from(unsigned n) const {
    if (const std::uint64_t here = members(n - n % 64, ~std::uint64_t{0} << n % 64))
      return n - n % 64 + masks::lowest(here);
    const std::uint64_t after = n / 64 == 63 ? 0 : ports_ & (~std::uint64_t{0} << (n / 64 + 1));
    const unsigned port = masks::lowest(after ? after : ports_);
    return port * 64 + masks::lowest(members_[port]);
  }
  template <class F>
  void each(F&& f) const {
    each_port([&f](unsigned port, std::uint64_t rest) {
      for (; rest; rest &= rest - 1) f(port * 64 + masks::lowest(rest));
    });
  }

  two_level_set& operator|=(const two_level_set& o) {
    o.each_port([this](unsigned port, std::uint64_t members) { add(port * 64, members); });
    return *this;
  }
  friend two_level_set operator&(const two_level_set& a, const two_level_set& b) {
    two_level_set both;
    for (std::uint64_t rest = a.ports_ & b.ports_; rest; rest &= rest - 1) {
      const unsigned port = masks::lowest(rest);
      both.put(port, a.members_[port] & b.members_[port]);
    }
    return both;
  }
  friend two_level_set operator-(const two_level_set& a, const two_level_set& b) {
    two_level_set left;
    a.each_port([&](unsigned port, std::uint64_t members) {
      left.put(port, members & ~b.members(port * 64, members));
    });
    return left;
  }
  friend bool operator==(const two_level_set& a, const two_level_set& b) {
    return a.ports_ == b.ports_ && (a - b).empty() && (b - a).empty();
  }
  /// @}

private:
  bool has(unsigned port) const { return ports_ >> port & 1; }
  void put(unsigned port, std::uint64_t members) {
    members_[port] = members;
    ports_ = members ? ports_ | masks::bit(port) : ports_ & ~masks::bit(port);
  }
  template <class F>
  void each_port(F&& f) const {
    for (std::uint64_t rest = ports_; rest; rest &= rest - 1) {
      const unsigned port = masks::lowest(rest);
      f(port, members_[port]);
    }
  }

  std::uint64_t ports_ = 0;
  std::array<std::uint64_t, 64> members_;
};

}  // namespace spillway
