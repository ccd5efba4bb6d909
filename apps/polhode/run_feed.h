#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace polhode::cli {

/// The stream of a run (format/runs/run_stream.h) while it grows: one thread appends, others read it from any place on.
class RunFeed {
 public:
  explicit RunFeed(std::string label) : label_(std::move(label)) {}

  const std::string& label() const { return label_; }

  void append(std::string_view bytes);
  /// Nothing will follow.
  void finish() { finished_ = true; }

  bool finished() const { return finished_; }
  std::size_t size() const;
  /// What follows from an offset on, at most so many bytes; empty when there is no more yet. Ask finished() first: what was
  /// appended before it became true is then read for certain.
  std::string read(std::size_t offset, std::size_t most) const;

 private:
  static constexpr std::size_t piece_size = std::size_t(1) << 18;

  std::string label_;
  std::atomic<bool> finished_ = false;
  mutable std::mutex mutex_;
  std::size_t size_ = 0;
  std::vector<std::unique_ptr<char[]>> pieces_;  // of the same size each, so that growing moves nothing
};

}  // namespace polhode::cli
