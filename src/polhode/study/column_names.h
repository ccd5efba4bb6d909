#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polhode/mechanism/mechanism.h"

namespace polhode::study {

/// What the columns of a mechanism's tables are called, each name once, whatever joints and frames are called; the same in
/// every file, plot, page and option (docs/files.md).
///
/// Built-in columns (t, energy, ...) have their names always. A coordinate or speed has its own name, a frame's position that
/// of the frame with .x, .y or .z, an acceleration that of the speed with a prime. A name that is taken, in this order, gets
/// "coordinate.", "speed.", "frame." or "acceleration." in front.
class ColumnNames {
 public:
  explicit ColumnNames(const Mechanism& mechanism);

  const std::vector<std::string>& coordinates() const { return coordinates_; }
  const std::vector<std::string>& speeds() const { return speeds_; }
  const std::vector<std::string>& accelerations() const { return accelerations_; }  ///< by speed
  /// x, y, z as axis 0, 1, 2.
  const std::string& frame(int frame, int axis) const { return frames_[3 * std::size_t(frame) + std::size_t(axis)]; }

  enum class Kind { built_in, coordinate, speed, frame, acceleration };
  struct Place {
    Kind kind;
    int index, axis;
  };
  std::optional<Place> find(std::string_view name) const;

  /// What is called otherwise than by its own name: sentences for people. Frames only if they are among the tracked ones.
  std::vector<std::string> notes(const Mechanism& mechanism, const std::vector<int>& tracked) const;

  static bool is_built_in(std::string_view name);

 private:
  NameTable table_;  ///< indices into places_
  std::vector<Place> places_;
  std::vector<std::string> coordinates_, speeds_, frames_, accelerations_;
};

/// The names, each once: one that is taken, by an earlier one or a reserved one, gets the prefix, as often as it takes.
std::vector<std::string> distinct(std::vector<std::string> names, const std::vector<std::string>& reserved,
                                  const std::string& prefix);

}  // namespace polhode::study
