#include "polhode/format/runs/run_file_layout.h"

namespace polhode::format {

const char* name(RunState state) {
  return state == RunState::running ? "running" : state == RunState::finished ? "finished" : "failed";
}

namespace run_file {
namespace {

constexpr std::size_t word = 8, words = 4;  // number, rows, length, sum

void append(std::string& bytes, std::uint64_t value) {
  for (std::size_t i = 0; i < word; ++i) bytes += char(value >> 8 * i & 0xff);
}
std::uint64_t word_at(std::string_view bytes, std::size_t index) {
  std::uint64_t value = 0;
  for (std::size_t i = word; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[index * word + i]);
  return value;
}

/// Fowler, Noll and Vo's hash (FNV-1a), of everything but itself.
std::uint64_t sum_of(std::string_view head, std::string_view content) {
  std::uint64_t sum = 0xcbf29ce484222325u;
  for (const std::string_view part : {head, content})
    for (const char c : part) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return sum;
}

}  // namespace

std::string sealed(std::uint64_t number, const RunCheckpoint& checkpoint) {
  std::string bytes;
  append(bytes, number);
  append(bytes, checkpoint.rows);
  append(bytes, checkpoint.bytes.size());
  append(bytes, sum_of(bytes, checkpoint.bytes));
  return bytes + checkpoint.bytes;
}

std::optional<SealedCheckpoint> unsealed(std::string_view bytes) {
  constexpr std::size_t head = words * word;
  if (bytes.size() < head) return std::nullopt;
  const std::uint64_t length = word_at(bytes, 2);
  if (length > bytes.size() - head) return std::nullopt;
  const std::string_view content = bytes.substr(head, std::size_t(length));
  if (word_at(bytes, 3) != sum_of(bytes.substr(0, head - word), content)) return std::nullopt;
  return SealedCheckpoint{word_at(bytes, 0), {word_at(bytes, 1), std::string(content)}};
}

}  // namespace run_file
}  // namespace polhode::format
