#pragma once
#include <optional>
#include <string>
#include <string_view>

/// The little of HTTP that the viewer's server understands: GET without a body, from this machine's own browser.
namespace polhode::cli {

struct HttpRequest {
  std::string method, target;
  std::optional<std::string> host, origin;
  bool has_body = false;
};

/// The most that the head of a request may take, and its target [bytes].
constexpr std::size_t most_head_bytes = 16384, most_target_bytes = 1024;

/// The head of a request without the empty line that ends it. None where it is no HTTP/1, or says a thing twice that may be
/// said only once.
std::optional<HttpRequest> parse_request(std::string_view head);

/// The HTTP status with which a request is refused before it is looked at what it asks for; 0 when it is not. A page from
/// elsewhere can make a browser send requests here, under its own name for this machine (DNS rebinding) or with its own
/// origin: both are told by the headers.
int refusal(const HttpRequest& request, int port);

}  // namespace polhode::cli
