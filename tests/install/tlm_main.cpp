// As main.cpp, with the transaction level.
#include <spillway/tlm/payload_codec.hpp>

int sc_main(int, char**) {
  unsigned char byte = 7;
  tlm::tlm_generic_payload request;
  request.set_command(tlm::TLM_WRITE_COMMAND);
  request.set_data_ptr(&byte);
  request.set_data_length(1);
  request.set_streaming_width(1);
  spillway::message_words words;
  spillway::encode_request(request, 0x40, words);
  return words.size() == 4 && words[2] == 0x40 && words[3] == 7 ? 0 : 1;
}
