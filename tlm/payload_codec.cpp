#include <algorithm>
#include <array>
#include <spillway/tlm/payload_codec.hpp>
#include <stdexcept>

namespace spillway {

namespace {

constexpr std::size_t word_bytes = 8;
constexpr int status_bias = 16;  // the least status is -5

std::size_t words_for(std::size_t bytes) { return (bytes + word_bytes - 1) / word_bytes; }

// Loops of a constant eight bytes, of which compilers make one load or store.
std::uint64_t load_word(const unsigned char* bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < word_bytes; ++i) word |= std::uint64_t{bytes[i]} << (8 * i);
  return word;
}
void store_word(std::uint64_t word, unsigned char* bytes) {
  for (std::size_t i = 0; i < word_bytes; ++i) bytes[i] = static_cast<unsigned char>(word >> (8 * i));
}

void append(message_words& words, const unsigned char* bytes, std::size_t count) {
  for (; count >= word_bytes; count -= word_bytes, bytes += word_bytes) words.push_back(load_word(bytes));
  if (count == 0) return;
  std::array<unsigned char, word_bytes> rest{};
  std::copy_n(bytes, count, rest.begin());
  words.push_back(load_word(rest.data()));
}

/// The `count` bytes that word `from` begins with.
void extract(const message_words& words, std::size_t from, std::size_t count, unsigned char* bytes) {
  if (from + words_for(count) > words.size())
    throw std::invalid_argument("a message of the transaction interface ends too early");
  for (; count >= word_bytes; count -= word_bytes, bytes += word_bytes) store_word(words[from++], bytes);
  if (count == 0) return;
  std::array<unsigned char, word_bytes> rest;
  store_word(words[from], rest.data());
  std::copy_n(rest.begin(), count, bytes);
}

void extract(const message_words& words, std::size_t from, std::size_t count,
             std::vector<unsigned char>& bytes) {
  bytes.resize(count);
  extract(words, from, count, bytes.data());
}

std::uint64_t pair(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }
std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

/// Of an ignored command the array is the target's to look at, as of a write.
bool sends_data(tlm::tlm_command command, const unsigned char* data) {
  return data && command != tlm::TLM_READ_COMMAND;
}

}  // namespace

void encode_request(const tlm::tlm_generic_payload& request, std::uint64_t address, message_words& words) {
  const unsigned enables = request.get_byte_enable_ptr() ? request.get_byte_enable_length() : 0;
  // An ignored command may come without an array, whatever its length says.
  const bool sends = sends_data(request.get_command(), request.get_data_ptr());
  const unsigned length = sends || request.is_read() ? request.get_data_length() : 0;
  words.clear();
  words.reserve(4 + words_for(enables) + (sends ? words_for(length) : 0));
  words.push_back(pair(static_cast<std::uint32_t>(request.get_command()), length));
  words.push_back(pair(request.get_streaming_width(), enables));
  words.push_back(address);
  if (enables) append(words, request.get_byte_enable_ptr(), enables);
  if (sends) append(words, request.get_data_ptr(), length);
}

void decode_request(const message_words& words, tlm::tlm_generic_payload& request, payload_storage& storage) {
  if (words.size() < 3) throw std::invalid_argument("a message of the transaction interface is too short");
  const auto command = static_cast<tlm::tlm_command>(low(words[0]));
  const std::uint32_t length = high(words[0]), enables = high(words[1]);
  extract(words, 3, enables, storage.byte_enables);
  if (command != tlm::TLM_READ_COMMAND)
    extract(words, 3 + words_for(enables), length, storage.data);
  else
    storage.data.assign(length, 0);
  request.set_command(command);
  request.set_address(words[2]);
  request.set_data_ptr(length ? storage.data.data() : nullptr);
  request.set_data_length(length);
  request.set_streaming_width(low(words[1]));
  request.set_byte_enable_ptr(enables ? storage.byte_enables.data() : nullptr);
  request.set_byte_enable_length(enables);
  request.set_dmi_allowed(false);
  request.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void encode_reply(const tlm::tlm_generic_payload& request, message_words& words) {
  const bool with_data = request.is_read() && request.is_response_ok();
  const unsigned length = with_data ? request.get_data_length() : 0;
  words.clear();
  words.reserve(2 + words_for(length));
  words.push_back(pair(static_cast<std::uint32_t>(request.get_response_status() + status_bias), length));
  if (with_data) append(words, request.get_data_ptr(), length);
}

void decode_reply(const message_words& words, tlm::tlm_generic_payload& request) {
  if (words.empty()) throw std::invalid_argument("a message of the transaction interface is too short");
  const auto status = static_cast<tlm::tlm_response_status>(static_cast<int>(low(words[0])) - status_bias);
  request.set_response_status(status);
  request.set_dmi_allowed(false);
  if (!request.is_read() || !request.is_response_ok()) return;
  if (high(words[0]) != request.get_data_length())
    throw std::invalid_argument("a reply of the transaction interface has the wrong length");
  const unsigned char* const enables = request.get_byte_enable_ptr();
  const unsigned period = request.get_byte_enable_length();
  if (!enables || period == 0) {
    extract(words, 1, request.get_data_length(), request.get_data_ptr());
    return;
  }
  std::vector<unsigned char> data;
  extract(words, 1, request.get_data_length(), data);
  for (std::size_t i = 0; i < data.size(); ++i)
    if (enables[i % period] == TLM_BYTE_ENABLED) request.get_data_ptr()[i] = data[i];
}

}  // namespace spillway
