// Certificates, and the graphs that they are held to, with a form feed between them.
#include <sstream>

#define main certify_main
#include "../../tb/certify/certify.cpp"
#undef main

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = text_of(data, size);
  const std::size_t end = std::min(text.find('\f'), text.size());
  std::istringstream in(text.substr(0, end)), graph(text.substr(std::min(end + 1, text.size())));
  try {
    const reader read(in);
    verifier(read.read()).verify();
    compare(read.read(), graph);
  } catch (const refusal&) {
  }
  return 0;
}
