#include "stop_request.h"

#include <csignal>

namespace polhode::cli {
namespace {

volatile std::sig_atomic_t has_been_asked = 0;
constexpr int signals[] = {SIGINT, SIGTERM};
using Handler = void (*)(int);
Handler before[2];

void note(int) { has_been_asked = 1; }

}  // namespace

StopRequest::StopRequest() {
  has_been_asked = 0;
  for (int i = 0; i < 2; ++i) {
    struct sigaction action {};
    action.sa_handler = note;
    action.sa_flags = int(SA_RESETHAND);
    struct sigaction old {};
    sigaction(signals[i], nullptr, &old);
    before[i] = old.sa_handler;
    if (old.sa_handler != SIG_IGN) sigaction(signals[i], &action, nullptr);  // nohup means it
  }
}

StopRequest::~StopRequest() {
  for (int i = 0; i < 2; ++i) std::signal(signals[i], before[i]);
}

bool StopRequest::asked() { return has_been_asked != 0; }

}  // namespace polhode::cli
