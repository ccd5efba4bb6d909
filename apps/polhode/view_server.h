#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "run_feed.h"

namespace polhode::cli {

/// Serves the viewer's page and the streams of its runs to browsers on this machine, and nothing else: `/`, `/api/runs` and
/// `/api/runs/N`. One thread serves all connections, none of which can hold up another: requests are small and must come soon,
/// there are only so many connections at once, and each is closed after its answer.
class ViewServer {
 public:
  /// Listens on 127.0.0.1; port 0 is any that is free. Throws std::runtime_error when it cannot. Page and runs must outlive it.
  ViewServer(int port, std::string_view page, std::vector<const RunFeed*> runs);
  ~ViewServer();

  int port() const;
  /// Until there is something to read from the file descriptor.
  void serve(int until_readable);

 private:
  class Sockets;
  std::unique_ptr<Sockets> sockets_;
};

}  // namespace polhode::cli
