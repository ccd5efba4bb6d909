#pragma once
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/paths.h"

extern char** environ;

/// `polhode view` as a running process, and connections to it that send exactly what a test says.
namespace polhode::server_test {

class Server {
 public:
  /// Starts it and waits for the line with its address.
  explicit Server(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {testing_support::program_path(), "view", "--no-browser"});
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn(&process_, testing_support::program_path(), &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    std::string line;
    for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
    close(ends[0]);
    const std::string before = "http://127.0.0.1:";
    if (line.starts_with(before) && line.ends_with('/')) port_ = std::atoi(line.substr(before.size()).c_str());
  }
  ~Server() {
    if (process_ > 0) end(SIGKILL);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// 0 when it did not start.
  int port() const { return port_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }

  /// Sends a signal and waits; the exit status, or -1 when the signal ended it.
  int end(int signal) {
    kill(process_, signal);
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t process_ = 0;
  int port_ = 0;
};

class Connection {
 public:
  explicit Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(std::uint16_t(port));
    if (connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) hang_up();
  }
  ~Connection() { hang_up(); }
  Connection(Connection&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

  void send(const std::string& bytes) const {
    for (std::size_t sent = 0; sent < bytes.size();) {
      const ssize_t count = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return;  // the other side has heard enough
      sent += std::size_t(count);
    }
  }
  /// Until the other side ends, or so many bytes have come, or it is silent for too long.
  std::string receive(std::size_t most = std::string::npos, int milliseconds = 20000) const {
    std::string text;
    std::vector<char> bytes(65536);
    pollfd watched{socket_, POLLIN, 0};
    while (text.size() < most && poll(&watched, 1, milliseconds) > 0) {
      const ssize_t count = recv(socket_, bytes.data(), std::min(bytes.size(), most - text.size()), 0);
      if (count <= 0) break;
      text.append(bytes.data(), std::size_t(count));
    }
    return text;
  }
  void hang_up() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
  }

 private:
  int socket_;
};

/// The status of an answer; 0 when there is none.
inline int status_of(const std::string& answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::atoi(answer.substr(9, 3).c_str()) : 0;
}
inline std::string body_of(const std::string& answer) {
  const std::size_t end = answer.find("\r\n\r\n");
  return end == std::string::npos ? std::string() : answer.substr(end + 4);
}
/// The bytes of a body that came in chunks; `whole` tells whether the last one was among them.
inline std::string unchunked(const std::string& body, bool& whole) {
  std::string bytes;
  whole = false;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t line = body.find("\r\n", at);
    if (line == std::string::npos) return bytes;
    const std::size_t size = std::strtoull(body.substr(at, line - at).c_str(), nullptr, 16);
    if (size == 0) {
      whole = true;
      return bytes;
    }
    bytes += body.substr(line + 2, size);
    at = line + 2 + size + 2;
  }
  return bytes;
}

}  // namespace polhode::server_test
