#include "browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>

extern char** environ;

namespace polhode::cli {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// In a session of its own, so that Ctrl-C here does not close the browser, and silent.
bool start(const std::string& program, std::string argument) {
  std::string name = program;
  std::array<char*, 3> argv{name.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t child = 0;
  const int status = posix_spawnp(&child, program.c_str(), &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return status == 0;
}

}  // namespace

bool open_browser(const std::string& address) {
  if (environment("DISPLAY").empty() && environment("WAYLAND_DISPLAY").empty()) return false;
  std::signal(SIGCHLD, SIG_IGN);  // nobody asks how the browser ended
  std::string wanted = environment("BROWSER");
  wanted = wanted.substr(0, wanted.find(':'));  // a list in order of preference
  return (!wanted.empty() && start(wanted, address)) || start("xdg-open", address);
}

}  // namespace polhode::cli
