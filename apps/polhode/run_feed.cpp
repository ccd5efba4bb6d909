#include "run_feed.h"

#include <algorithm>
#include <cstring>

namespace polhode::cli {

void RunFeed::append(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  while (!bytes.empty()) {
    const std::size_t place = size_ % piece_size;
    if (place == 0) pieces_.push_back(std::make_unique<char[]>(piece_size));
    const std::size_t count = std::min(bytes.size(), piece_size - place);
    std::memcpy(pieces_.back().get() + place, bytes.data(), count);
    bytes.remove_prefix(count);
    size_ += count;
  }
}

std::size_t RunFeed::size() const {
  const std::lock_guard lock(mutex_);
  return size_;
}

std::string RunFeed::read(std::size_t offset, std::size_t most) const {
  const std::lock_guard lock(mutex_);
  std::string out;
  const std::size_t end = std::min(size_, offset + most);
  while (offset < end) {
    const std::size_t place = offset % piece_size, count = std::min(end - offset, piece_size - place);
    out.append(pieces_[offset / piece_size].get() + place, count);
    offset += count;
  }
  return out;
}

}  // namespace polhode::cli
