#pragma once
#include "polhode/state/state.h"

namespace polhode::format {

/// Where the reported states of a run go. Hand write() to study::simulate as the reporter.
class TrajectoryWriter {
 public:
  virtual ~TrajectoryWriter() = default;

  /// Adds one state; needs stage velocity. Throws std::runtime_error when it cannot be written.
  virtual void write(const State& state) = 0;
  /// Makes sure that everything has reached the file.
  virtual void close() = 0;
};

}  // namespace polhode::format
