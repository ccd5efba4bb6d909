#include "view_server.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "http_request.h"
#include "print_json.h"

namespace polhode::cli {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t most_connections = 64;
constexpr auto time_to_ask = 5s;      // for all of a request, so that one that comes byte by byte does not stay
constexpr auto time_to_read = 60s;    // since the last byte that a browser took
constexpr auto time_to_leave = 1s;    // after the answer
constexpr int look_for_rows_ms = 20;  // while a browser waits for rows that are being simulated
constexpr std::size_t piece = std::size_t(1) << 18;

/// Of every answer. The page is one file with its script inside, which talks to nobody but this server.
constexpr std::string_view headers =
    "Connection: close\r\n"
    "Cache-Control: no-store\r\n"
    "Content-Security-Policy: default-src 'self' 'unsafe-inline' data: blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\n";

std::string head(int status, std::string_view reason, std::string_view type, std::size_t length) {
  return fmt::format("HTTP/1.1 {} {}\r\n{}{}Content-Type: {}\r\nContent-Length: {}\r\n\r\n", status, reason, headers,
                     status == 405 ? "Allow: GET\r\n" : "", type, length);
}
std::string answer(int status, std::string_view reason, std::string_view type, std::string_view body) {
  return head(status, reason, type, body.size()).append(body);
}
std::string refuse(int status) {
  constexpr std::array<std::pair<int, std::string_view>, 9> reasons{{{400, "Bad Request"},
                                                                     {403, "Forbidden"},
                                                                     {404, "Not Found"},
                                                                     {405, "Method Not Allowed"},
                                                                     {408, "Request Timeout"},
                                                                     {413, "Content Too Large"},
                                                                     {414, "URI Too Long"},
                                                                     {431, "Request Header Fields Too Large"},
                                                                     {503, "Service Unavailable"}}};
  const auto found = std::find_if(reasons.begin(), reasons.end(), [&](const auto& entry) { return entry.first == status; });
  return answer(status, found->second, "text/plain; charset=utf-8", fmt::format("{} {}\n", status, found->second));
}

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno))); }

struct Connection {
  enum class Phase { asking, answering, leaving };

  int socket;
  Phase phase = Phase::asking;
  Clock::time_point deadline = Clock::now() + time_to_ask;
  std::string input{};           // the request, as far as it has come
  std::string output{};          // what is to be sent next
  std::size_t sent = 0;          // of the output
  std::string_view page{};       // what follows the output
  const RunFeed* run = nullptr;  // or this does, in chunks
  std::size_t offset = 0;        // of what was taken from the run

  bool has_output() const { return sent < output.size() || !page.empty(); }
};

}  // namespace

class ViewServer::Sockets {
 public:
  Sockets(int wanted_port, std::string_view page, std::vector<const RunFeed*> runs) : page_(page), runs_(std::move(runs)) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (listener_ < 0) fail("a socket cannot be opened");
    const int yes = 1;
    setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(std::uint16_t(wanted_port));
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (bind(listener_, generic, size) != 0 || listen(listener_, int(most_connections)) != 0 ||
        getsockname(listener_, generic, &size) != 0) {
      const int reason = errno;
      close(listener_);
      errno = reason;
      fail(wanted_port == 0 ? std::string("no port of 127.0.0.1 can be opened") : fmt::format("port {}", wanted_port));
    }
    port_ = ntohs(address.sin_port);
  }
  ~Sockets() {
    for (const Connection& connection : connections_) close(connection.socket);
    close(listener_);
  }
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  int port() const { return port_; }

  void serve(int until_readable) {
    std::vector<pollfd> watched;
    while (true) {
      watched.assign({{until_readable, POLLIN, 0}, {listener_, POLLIN, 0}});
      int wait = -1;
      for (Connection& connection : connections_) {
        refill(connection);
        const bool waits_for_rows = connection.phase == Connection::Phase::answering && !connection.has_output();
        watched.push_back({connection.socket, short(POLLIN | (connection.has_output() ? POLLOUT : 0)), 0});
        if (connection.phase == Connection::Phase::answering) watched.back().events &= ~short(POLLIN);
        const int patience = waits_for_rows ? look_for_rows_ms : 1000;
        wait = wait < 0 ? patience : std::min(wait, patience);
      }
      if (poll(watched.data(), nfds_t(watched.size()), wait) < 0 && errno != EINTR) fail("poll");
      if (watched[0].revents != 0) return;
      std::size_t i = 2;
      for (auto connection = connections_.begin(); connection != connections_.end(); ++i)
        connection = attend(*connection, watched[i].revents) ? std::next(connection) : hang_up(connection);
      if (watched[1].revents != 0) welcome();
    }
  }

 private:
  using Connections = std::list<Connection>;

  Connections::iterator hang_up(Connections::iterator connection) {
    close(connection->socket);
    return connections_.erase(connection);
  }

  void welcome() {
    while (true) {
      const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (socket < 0) return;  // nobody else, or no file descriptor left: those that are served come first
      connections_.push_back({.socket = socket});
      if (connections_.size() > most_connections) say(connections_.back(), refuse(503));
      if (connections_.size() > 2 * most_connections) hang_up(std::prev(connections_.end()));
    }
  }

  /// Returns false when the connection is over.
  bool attend(Connection& connection, short events) {
    if ((events & (POLLERR | POLLNVAL)) != 0) return false;
    // A browser that has gone shows here also while there is nothing to send to it.
    if (connection.phase == Connection::Phase::answering && (events & POLLHUP) != 0) return false;
    if ((events & POLLIN) != 0 && connection.phase == Connection::Phase::asking && !listen_to(connection)) return false;
    if ((events & (POLLIN | POLLHUP)) != 0 && connection.phase == Connection::Phase::leaving && !drain(connection))
      return false;
    if ((events & POLLOUT) != 0 && !send_more(connection)) return false;
    if (connection.phase == Connection::Phase::answering && connection.run == nullptr && !connection.has_output()) {
      // The other side may still be sending; to close now would take the answer away from it.
      shutdown(connection.socket, SHUT_WR);
      connection.phase = Connection::Phase::leaving;
      connection.deadline = Clock::now() + time_to_leave;
    }
    if (Clock::now() < connection.deadline) return true;
    if (connection.phase != Connection::Phase::asking)
      return connection.phase == Connection::Phase::answering && waits(connection);
    say(connection, refuse(408));
    return true;
  }

  /// For rows, which is no fault of the browser's.
  bool waits(const Connection& connection) const { return !connection.has_output(); }

  static bool drain(Connection& connection) {
    std::array<char, 4096> ignored;
    const ssize_t count = recv(connection.socket, ignored.data(), ignored.size(), 0);
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
  }

  bool listen_to(Connection& connection) {
    std::array<char, 4096> bytes;
    const ssize_t count = recv(connection.socket, bytes.data(), bytes.size(), 0);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    connection.input.append(bytes.data(), std::size_t(count));
    const std::size_t end = connection.input.find("\r\n\r\n");
    if (end != std::string::npos && end <= most_head_bytes) {
      const auto request = parse_request(std::string_view(connection.input).substr(0, end));
      request ? reply(connection, *request) : say(connection, refuse(400));
    } else if (connection.input.size() > most_head_bytes) {
      say(connection, refuse(connection.input.find("\r\n") > most_head_bytes ? 414 : 431));
    }
    return true;
  }

  static void say(Connection& connection, std::string words) {
    connection.phase = Connection::Phase::answering;
    connection.deadline = Clock::now() + time_to_read;
    connection.output = std::move(words);
    connection.sent = 0;
    connection.input = {};
  }

  /// Paths are compared as they are written: no other spelling of them leads anywhere.
  void reply(Connection& connection, const HttpRequest& request) {
    if (const int status = refusal(request, port_); status != 0) return say(connection, refuse(status));
    const std::string_view path = request.target;
    if (path == "/") {
      connection.page = page_;
      return say(connection, head(200, "OK", "text/html; charset=utf-8", page_.size()));
    }
    if (path == "/api/runs") return say(connection, answer(200, "OK", "application/json", list_of_runs()));
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (path != fmt::format("/api/runs/{}", i)) continue;
      connection.run = runs_[i];
      return say(
          connection,
          fmt::format("HTTP/1.1 200 OK\r\n{}Content-Type: application/octet-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
                      headers));
    }
    say(connection, refuse(404));
  }

  std::string list_of_runs() const {
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < runs_.size(); ++i)
      list.push_back({{"label", runs_[i]->label()}, {"url", fmt::format("/api/runs/{}", i)}});
    return json_text(list, -1);
  }

  /// The next chunk of a run, when the last one has gone and there is one.
  static void refill(Connection& connection) {
    if (connection.run == nullptr || connection.has_output()) return;
    const bool finished = connection.run->finished();
    const std::string bytes = connection.run->read(connection.offset, piece);
    if (bytes.empty() && !finished) return;
    connection.output = fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);  // a chunk of no bytes is the end
    connection.sent = 0;
    connection.offset += bytes.size();
    if (bytes.empty()) connection.run = nullptr;
    connection.deadline = Clock::now() + time_to_read;
  }

  static bool send_more(Connection& connection) {
    const bool from_output = connection.sent < connection.output.size();
    const std::string_view rest =
        from_output ? std::string_view(connection.output).substr(connection.sent) : connection.page.substr(0, piece);
    const ssize_t count = send(connection.socket, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (from_output) {
      connection.sent += std::size_t(count);
    } else {
      connection.page.remove_prefix(std::size_t(count));
    }
    connection.deadline = Clock::now() + time_to_read;
    return true;
  }

  std::string_view page_;
  std::vector<const RunFeed*> runs_;
  int listener_ = -1, port_ = 0;
  Connections connections_;
};

ViewServer::ViewServer(int port, std::string_view page, std::vector<const RunFeed*> runs)
    : sockets_(std::make_unique<Sockets>(port, page, std::move(runs))) {}
ViewServer::~ViewServer() = default;
int ViewServer::port() const { return sockets_->port(); }
void ViewServer::serve(int until_readable) { sockets_->serve(until_readable); }

}  // namespace polhode::cli
