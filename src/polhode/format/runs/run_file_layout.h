#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "polhode/format/runs/run_record.h"

/// What the writer and the reader of run files agree on (docs/files.md).
namespace polhode::format::run_file {

inline constexpr const char *format_name = "polhode run", *units = "SI: m, kg, s, rad, N, J";
inline constexpr int format_version = 1;
inline constexpr std::size_t state_length = 16;  ///< bytes that hold the name of a RunState
inline constexpr const char* checkpoint_slots[] = {"checkpoint/a", "checkpoint/b"};

/// A checkpoint as bytes that tell by themselves whether they are whole: a kill may cut the write of a long one short. That is
/// why there are two places for it, which take turns.
struct SealedCheckpoint {
  std::uint64_t number = 0;  ///< the later one has the larger
  RunCheckpoint checkpoint{};
};
std::string sealed(std::uint64_t number, const RunCheckpoint& checkpoint);
/// Nothing where the bytes are not whole.
std::optional<SealedCheckpoint> unsealed(std::string_view bytes);

}  // namespace polhode::format::run_file
