#pragma once
#include <cstdint>
#include <tlm>
#include <vector>

namespace spillway {

/// A message between two terminals as the payload words of its flits.
using message_words = std::vector<std::uint64_t>;

// Request: word 0 = command (bits 0-7), data length in bytes (bits 32-63); word 1 = streaming width
// (0-31), byte enable length (32-63); word 2 = address; then the byte enables, then, of a write or an ignored
// command, the data, eight bytes a word, the first byte lowest.
// Reply: word 0 = response status + 16 (bits 0-7), data length (32-63); then, of a read that succeeded,
// the data.

/// `address`: what the target is to see. `words`: what was in them before is gone.
void encode_request(const tlm::tlm_generic_payload& request, std::uint64_t address, message_words& words);

/// The parts of a request that do not fit into the payload object itself.
struct payload_storage {
  std::vector<unsigned char> data;          ///< where the data pointer leads
  std::vector<unsigned char> byte_enables;  ///< where the byte enable pointer leads
};
/// Fills in all attributes of `request`; its pointers lead into `storage`. Throws std::invalid_argument
/// if the words are not a request.
void decode_request(const message_words& words, tlm::tlm_generic_payload& request, payload_storage& storage);

/// `request`: with its response status, and the data of a read. What was in `words` before is gone.
void encode_reply(const tlm::tlm_generic_payload& request, message_words& words);

/// Sets the response status and, of a read that succeeded, those bytes of the data that are enabled.
/// Throws std::invalid_argument if the words are no reply to the request.
void decode_reply(const message_words& words, tlm::tlm_generic_payload& request);

}  // namespace spillway
