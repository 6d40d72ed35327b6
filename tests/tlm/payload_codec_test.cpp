#include <gtest/gtest.h>

#include <spillway/tlm/address_map.hpp>
#include <spillway/tlm/payload_codec.hpp>

namespace spillway {
namespace {

void fill(tlm::tlm_generic_payload& p, tlm::tlm_command command, std::vector<unsigned char>& data,
          std::vector<unsigned char>& enables) {
  p.set_command(command);
  p.set_address(0x1234);
  p.set_data_ptr(data.data());
  p.set_data_length(static_cast<unsigned>(data.size()));
  p.set_streaming_width(4);
  p.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
  p.set_byte_enable_length(static_cast<unsigned>(enables.size()));
}

message_words request_words(const tlm::tlm_generic_payload& p, std::uint64_t address) {
  message_words words{1, 2, 3};  // of an earlier message
  encode_request(p, address, words);
  return words;
}

message_words reply_words(const tlm::tlm_generic_payload& p) {
  message_words words{1, 2, 3};
  encode_reply(p, words);
  return words;
}

TEST(payload_codec, a_write_travels_whole) {
  for (const unsigned length : {1u, 7u, 8u, 9u, 64u, 1000u}) {
    std::vector<unsigned char> data(length), enables{0xff, 0, 0xff};
    for (unsigned i = 0; i < length; ++i) data[i] = static_cast<unsigned char>(i * 37 + 1);
    tlm::tlm_generic_payload sent;
    fill(sent, tlm::TLM_WRITE_COMMAND, data, enables);
    tlm::tlm_generic_payload got;
    payload_storage storage;
    decode_request(request_words(sent, 0xfedcba9876543210), got, storage);
    EXPECT_TRUE(got.is_write());
    EXPECT_EQ(got.get_address(), 0xfedcba9876543210u);
    EXPECT_EQ(got.get_streaming_width(), 4u);
    EXPECT_EQ(storage.data, data);
    EXPECT_EQ(storage.byte_enables, enables);
    EXPECT_EQ(got.get_data_length(), length);
    EXPECT_EQ(got.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  }
}

TEST(payload_codec, a_read_carries_data_only_back) {
  std::vector<unsigned char> data(20, 0xaa), none;
  tlm::tlm_generic_payload sent;
  fill(sent, tlm::TLM_READ_COMMAND, data, none);
  const message_words request = request_words(sent, 0);
  EXPECT_EQ(request.size(), 3u);
  tlm::tlm_generic_payload served;
  payload_storage storage;
  storage.data.assign(30, 0xbb);  // of an earlier request, which is none of this reader's business
  decode_request(request, served, storage);
  EXPECT_EQ(storage.data, std::vector<unsigned char>(20, 0));
  for (unsigned i = 0; i < 20; ++i) served.get_data_ptr()[i] = static_cast<unsigned char>(i);
  served.set_response_status(tlm::TLM_OK_RESPONSE);
  decode_reply(reply_words(served), sent);
  EXPECT_TRUE(sent.is_response_ok());
  for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(data[i], i);
}

TEST(payload_codec, bytes_that_are_not_enabled_keep_what_they_were) {
  std::vector<unsigned char> data(6, 0xaa), enables{0xff, 0x00};
  tlm::tlm_generic_payload sent;
  fill(sent, tlm::TLM_READ_COMMAND, data, enables);
  tlm::tlm_generic_payload served;
  payload_storage storage;
  decode_request(request_words(sent, 0), served, storage);
  for (unsigned i = 0; i < 6; ++i) served.get_data_ptr()[i] = static_cast<unsigned char>(i);
  served.set_response_status(tlm::TLM_OK_RESPONSE);
  decode_reply(reply_words(served), sent);
  EXPECT_EQ(data, (std::vector<unsigned char>{0, 0xaa, 2, 0xaa, 4, 0xaa}));
}

TEST(payload_codec, every_status_comes_back_and_an_error_brings_no_data) {
  std::vector<unsigned char> data(8, 0xaa), none;
  for (const auto status : {tlm::TLM_OK_RESPONSE, tlm::TLM_GENERIC_ERROR_RESPONSE,
                            tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_COMMAND_ERROR_RESPONSE,
                            tlm::TLM_BURST_ERROR_RESPONSE, tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE}) {
    tlm::tlm_generic_payload sent;
    fill(sent, tlm::TLM_READ_COMMAND, data, none);
    tlm::tlm_generic_payload served;
    fill(served, tlm::TLM_READ_COMMAND, data, none);
    served.set_response_status(status);
    const message_words words = reply_words(served);
    EXPECT_EQ(words.size(), status == tlm::TLM_OK_RESPONSE ? 2u : 1u);
    decode_reply(words, sent);
    EXPECT_EQ(sent.get_response_status(), status);
  }
}

TEST(payload_codec, a_reply_of_another_length_is_refused) {
  std::vector<unsigned char> data(16), longer(17), none;
  tlm::tlm_generic_payload sent, served;
  fill(sent, tlm::TLM_READ_COMMAND, data, none);
  fill(served, tlm::TLM_READ_COMMAND, longer, none);
  served.set_response_status(tlm::TLM_OK_RESPONSE);
  EXPECT_THROW(decode_reply(reply_words(served), sent), std::invalid_argument);
  EXPECT_THROW(decode_reply({}, sent), std::invalid_argument);
}

TEST(payload_codec, an_ignored_command_may_come_without_an_array) {
  std::vector<unsigned char> data(16), none;
  tlm::tlm_generic_payload sent, got;
  fill(sent, tlm::TLM_IGNORE_COMMAND, data, none);
  sent.set_data_ptr(nullptr);
  payload_storage storage;
  decode_request(request_words(sent, 0), got, storage);
  EXPECT_EQ(got.get_command(), tlm::TLM_IGNORE_COMMAND);
  EXPECT_EQ(got.get_data_length(), 0u);
  EXPECT_EQ(got.get_data_ptr(), nullptr);
}

TEST(payload_codec, words_that_end_too_early_are_refused) {
  std::vector<unsigned char> data(64, 1), none;
  tlm::tlm_generic_payload sent;
  fill(sent, tlm::TLM_WRITE_COMMAND, data, none);
  message_words words = request_words(sent, 0);
  words.pop_back();
  tlm::tlm_generic_payload got;
  payload_storage storage;
  EXPECT_THROW(decode_request(words, got, storage), std::invalid_argument);
  EXPECT_THROW(decode_request({}, got, storage), std::invalid_argument);
}

TEST(address_map, finds_the_range_that_holds_all_bytes) {
  address_map map;
  map.add({0x1000, 0x100, 3, 0x40});
  map.add({0x1100, 0x100, 5, 0});
  map.add({0xffffffffffffff00, 0x100, 7, 0});
  EXPECT_FALSE(map.decode(0xfff, 1));
  ASSERT_TRUE(map.decode(0x1000, 0x100));
  EXPECT_EQ(map.decode(0x1010, 4)->terminal, 3u);
  EXPECT_EQ(map.decode(0x1010, 4)->local, 0x50u);
  EXPECT_FALSE(map.decode(0x10fd, 4)) << "half of it is another terminal's";
  EXPECT_EQ(map.decode(0x1100, 1)->terminal, 5u);
  EXPECT_EQ(map.decode(0xffffffffffffffff, 1)->local, 0xffu);
  EXPECT_FALSE(map.decode(0xffffffffffffffff, 2));
}

TEST(address_map, refuses_what_overlaps) {
  address_map map;
  map.add({100, 50, 0, 0});
  EXPECT_THROW(map.add({149, 1, 1, 0}), std::invalid_argument);
  EXPECT_THROW(map.add({100, 1, 1, 0}), std::invalid_argument);
  EXPECT_THROW(map.add({90, 11, 1, 0}), std::invalid_argument);
  EXPECT_THROW(map.add({0, 0, 1, 0}), std::invalid_argument);
  EXPECT_THROW(map.add({~0ull, 2, 1, 0}), std::invalid_argument);
  map.add({150, 1, 1, 0});
  map.add({90, 10, 1, 0});
  map.add({~0ull - 99, 10, 1, 0});
  EXPECT_THROW(map.add({~0ull - 199, 200, 2, 0}), std::invalid_argument) << "it ends with the addresses";
}

}  // namespace
}  // namespace spillway
