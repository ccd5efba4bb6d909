#pragma once

namespace polhode::cli {

/// Turns Ctrl-C (and a polite kill) into something to read from a pipe, once: the next one ends the program as usual.
class InterruptPipe {
 public:
  InterruptPipe();
  ~InterruptPipe();
  InterruptPipe(const InterruptPipe&) = delete;
  InterruptPipe& operator=(const InterruptPipe&) = delete;

  /// Readable as soon as it happened.
  int descriptor() const { return ends_[0]; }

 private:
  int ends_[2];
};

}  // namespace polhode::cli
