#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <spillway/platforms/elaborate/packet_requests.hpp>

namespace spillway {

/// How a message layer cuts messages into packets (Callahan and Goldstein, section 2.2). A plain part.
///
/// A packet has a header word, for the network, and data. Where packets may overtake each other, each says in
/// a further word where its data belong, and the handler puts them there. Where they come in order, only the
/// first packet has that word.
class message_library {
public:
  /// `section`: the keys of `workload.library`; `packet_words`: words of a packet, header included;
  /// `requests`: what can be asked of the interfaces. Throws std::invalid_argument if such a packet has no
  /// room for data.
  message_library(const nlohmann::json& section, unsigned packet_words, const packet_requests& requests = {});

  /// JSON Schema of `workload.library`.
  static nlohmann::json schema();

  /// Packets of a message of so many words of data; at least 1.
  std::uint32_t packets(std::uint32_t words) const;
  /// What packet `index` of a message of `packets` asks of the interface: those of long messages say that
  /// they belong to one, for which it may open a dialog, and the last ends it.
  std::uint64_t interface_word(std::uint32_t index, std::uint32_t packets) const;
  /// Cycles that a handler needs to put the data of a packet in their place.
  std::uint64_t placing() const { return in_order_ ? 0 : placing_; }

private:
  const bool in_order_;
  const std::uint32_t bulk_from_, placing_, first_, later_;  // packets; cycles; words of data
  const std::uint64_t of_several_, last_of_them_;            // words for the interface
};

}  // namespace spillway
