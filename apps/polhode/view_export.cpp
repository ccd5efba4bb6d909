#include "view_export.h"
#include "print_json.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace polhode::cli {
namespace {

/// Base64 of bytes that come in pieces.
class Base64 {
 public:
  explicit Base64(std::ostream& out) : out_(out) {}
  void put(std::string_view bytes) {
    for (const char byte : bytes) {
      triple_ = triple_ << 8 | std::uint8_t(byte);
      if (++count_ == 3) flush();
    }
    out_ << text_;
    text_.clear();
  }
  void end() {
    if (count_ == 0) return;
    const int padding = 3 - count_;
    triple_ <<= 8 * padding;
    flush();
    text_.replace(std::size_t(4 - padding), std::size_t(padding), std::size_t(padding), '=');
    out_ << text_;
    text_.clear();
  }

 private:
  void flush() {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (const int shift : {18, 12, 6, 0}) text_ += digits[triple_ >> shift & 63];
    triple_ = 0;
    count_ = 0;
  }

  std::ostream& out_;
  std::string text_;
  std::uint32_t triple_ = 0;
  int count_ = 0;
};

/// The run's stream, gzipped.
void put_zipped(Base64& out, const RunFeed& run) {
  z_stream zip{};
  constexpr int gzip_format = 15 + 16, usual_memory = 8;
  if (deflateInit2(&zip, 6, Z_DEFLATED, gzip_format, usual_memory, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  std::array<unsigned char, 1 << 16> zipped;
  int status = Z_OK;
  for (std::size_t offset = 0; status != Z_STREAM_END;) {
    std::string bytes = run.read(offset, std::size_t(1) << 20);
    offset += bytes.size();
    zip.next_in = reinterpret_cast<unsigned char*>(bytes.data());
    zip.avail_in = unsigned(bytes.size());
    do {
      zip.next_out = zipped.data();
      zip.avail_out = unsigned(zipped.size());
      status = deflate(&zip, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
      out.put({reinterpret_cast<const char*>(zipped.data()), zipped.size() - zip.avail_out});
    } while (zip.avail_out == 0 && status != Z_STREAM_END);
  }
  deflateEnd(&zip);
}

/// JSON that may stand inside a script element, which `</` could end.
std::string json_in_script(const std::string& text) {
  std::string result = json_text(text, -1);
  for (std::size_t i = 0; (i = result.find('<', i)) != std::string::npos;) result.replace(i, 1, "\\u003c");
  return result;
}

}  // namespace

std::size_t export_page(const std::string& file, std::string_view page, const std::vector<const RunFeed*>& runs) {
  const std::size_t place = page.find("</head>");
  if (place == std::string_view::npos) throw std::logic_error("the viewer's page has no </head>");
  std::ofstream out(file, std::ios::binary);
  out << page.substr(0, place) << "<script type=\"application/json\" id=\"polhode-runs\">[";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    out << (i > 0 ? "," : "") << "{\"label\":" << json_in_script(runs[i]->label()) << ",\"gzip\":\"";
    Base64 text(out);
    put_zipped(text, *runs[i]);
    text.end();
    out << "\"}";
  }
  out << "]</script>\n" << page.substr(place);
  const auto size = out.tellp();
  out.close();
  if (!out) throw std::runtime_error(fmt::format("{}: cannot be written", file));
  return std::size_t(size);
}

}  // namespace polhode::cli
