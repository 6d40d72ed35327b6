#pragma once
#include <array>
#include <cstdint>
#include <memory>

namespace spillway {

/// What is known at one end of a packet link of the lanes of that link. Ends that are bound to each other,
/// straight, through the wires or through ports of modules around them, share what they know. A sender says
/// in how many lanes it sends, a receiver how many it has; an end that says nothing has one. Two numbers that
/// differ are an SC_REPORT_ERROR of the type `spillway/lanes` when the second end is bound.
class link_lanes {
public:
  /// An end of a link.
  enum class side : std::uint8_t {
    sender,    ///< shows flits
    receiver,  ///< takes them
  };
  /// Whose knowledge it is: that of an end, of the wires between them, or of who only looks on.
  enum class role : std::uint8_t {
    sender,    ///< the sending end
    receiver,  ///< the receiving end
    wires,     ///< what joins the ends
    watcher,   ///< who only looks on
  };

  explicit link_lanes(role r) : role_(r) {}  ///< `r`: whose knowledge it is

  /// What this end says, before it is bound: 1 to 64, else std::invalid_argument.
  void declare(unsigned lanes);
  /// Of a block that brings flits through in their lanes: its other end has as many.
  void same_as(link_lanes& other);
  /// This end, whose pin is `name`, is bound to the other.
  void join(link_lanes& other, const char* name);
  /// Who only looks on learns what the other knows.
  void look_at(link_lanes& other);
  /// Lanes of the link, if an end is bound that says; else all that a link can have.
  unsigned count() const;

private:
  struct known {
    known* merged = nullptr;               // with more
    std::array<std::uint8_t, 2> lanes{};   // by side; 0: not said
    std::array<const char*, 2> said_by{};  // the pin
    bool through = false;                  // an end that says nothing has as many as the other
  };

  known& shared() const;
  void merge(known& from, known& into) const;

  mutable std::unique_ptr<known> known_;  // made when something is
  const role role_;
};

/// Where an end keeps it: wires beside their channels, ports out of line with the port of a pin, since their
/// pins are touched at every edge.
template <class As, bool = As::role == link_lanes::role::wires>
class lanes_holder {
protected:
  /// The knowledge of the bundle that has this pin.
  template <class Pin>
  link_lanes& lanes_of(Pin&) {
    return lanes_;
  }

private:
  link_lanes lanes_{As::role};
};
/// Of ports.
template <class As>
class lanes_holder<As, false> {
protected:
  /// The knowledge of the bundle that has this pin, made at the first call.
  template <class Pin>
  link_lanes& lanes_of(Pin& pin) {
    if (!pin.note()) pin.note() = std::make_shared<link_lanes>(As::role);
    return *static_cast<link_lanes*>(pin.note().get());
  }
};

}  // namespace spillway
