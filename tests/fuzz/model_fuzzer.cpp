// Whatever the bytes, reading a model ends with a model or with an error, and what was read can be written and read again.
//
//   $ model_fuzzer -dict=tests/fuzz/model.dict corpus models
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "polhode/format/language/model.h"
#include "polhode/format/language/writer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace polhode;
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::string written;
  try {
    written = format::write_model(format::read_model(text, "fuzz.pol").mechanism.description());
  } catch (const ModelError& error) {
    if (std::string(error.what()).empty()) std::abort();  // an error that says nothing
    return 0;
  }
  try {
    if (format::write_model(format::read_model(written, "written.pol").mechanism.description()) == written) return 0;
    std::fputs("the second writing differs from the first:\n", stderr);
  } catch (const ModelError& error) {
    std::fprintf(stderr, "what was written cannot be read:\n%s\n", error.what());
  }
  std::fputs(written.c_str(), stderr);
  std::abort();
}
