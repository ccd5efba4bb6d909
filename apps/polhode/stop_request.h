#pragma once

namespace polhode::cli {

/// While this lives, Ctrl-C (SIGINT) and SIGTERM ask the run to stop, once; a second time they end the program.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;

  static bool asked();
};

}  // namespace polhode::cli
