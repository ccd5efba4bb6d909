#pragma once
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace polhode::cli {

/// A bar on standard error while a terminal looks on.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted) : shown_(wanted && isatty(STDERR_FILENO) != 0) {}
  ~ProgressBar() {
    if (drawn_) fmt::print(stderr, "\r\033[K");
  }
  void operator()(double fraction) {
    if (!shown_) return;
    constexpr int width = 40;
    const int filled = int(fraction * width);
    fmt::print(stderr, "\r[{:#<{}}{: <{}}] {:3.0f} %", "", filled, "", width - filled, 100 * fraction);
    std::fflush(stderr);
    drawn_ = true;
  }

 private:
  bool shown_, drawn_ = false;
};

}  // namespace polhode::cli
