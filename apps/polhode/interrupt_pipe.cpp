#include "interrupt_pipe.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace polhode::cli {
namespace {

volatile sig_atomic_t write_end = -1;

void note(int) {
  const int kept = errno;
  const char byte = 0;
  if (write_end >= 0 && write(int(write_end), &byte, 1) < 0) _exit(1);  // nothing else would end the program
  errno = kept;
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = int(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

InterruptPipe::InterruptPipe() {
  if (pipe2(ends_, O_CLOEXEC | O_NONBLOCK) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  write_end = ends_[1];
  handle(note);
}

InterruptPipe::~InterruptPipe() {
  handle(SIG_DFL);
  write_end = -1;
  close(ends_[0]);
  close(ends_[1]);
}

}  // namespace polhode::cli
