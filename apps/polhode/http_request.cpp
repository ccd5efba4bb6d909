#include "http_request.h"

#include <fmt/format.h>

#include <algorithm>

namespace polhode::cli {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }
std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}
std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}
/// Takes what stands before the separator off the text; all of it where there is none.
std::string_view take_until(std::string_view& text, std::string_view separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + separator.size(), text.size()));
  return taken;
}
bool is_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c < 127; });
}

}  // namespace

std::optional<HttpRequest> parse_request(std::string_view head) {
  HttpRequest request;
  std::string_view line = take_until(head, "\r\n");
  request.method = take_until(line, " ");
  request.target = take_until(line, " ");
  if (!is_word(request.method) || !is_word(request.target) || (line != "HTTP/1.1" && line != "HTTP/1.0")) return {};
  while (!head.empty()) {
    std::string_view value = take_until(head, "\r\n");
    if (value.find(':') == std::string_view::npos || value.find('\n') != std::string_view::npos) return {};
    const std::string name = lowered(take_until(value, ":"));
    if (!is_word(name)) return {};  // a space before the colon, or a line that goes on the one before it
    value = trimmed(value);
    for (const auto& [known, field] : {std::pair{"host", &request.host}, std::pair{"origin", &request.origin}}) {
      if (name != known) continue;
      if (field->has_value()) return {};
      *field = lowered(value);
    }
    if (name == "transfer-encoding" || (name == "content-length" && value != "0")) request.has_body = true;
  }
  return request;
}

int refusal(const HttpRequest& request, int port) {
  const std::string by_number = fmt::format("127.0.0.1:{}", port), by_name = fmt::format("localhost:{}", port);
  if (!request.host || (*request.host != by_number && *request.host != by_name)) return 403;
  if (request.origin && *request.origin != "http://" + by_number && *request.origin != "http://" + by_name) return 403;
  if (request.method != "GET") return 405;
  if (request.has_body) return 413;
  if (request.target.size() > most_target_bytes) return 414;
  return 0;
}

}  // namespace polhode::cli
