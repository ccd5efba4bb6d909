#pragma once
#include <optional>
#include <string>
#include <vector>

#include "polhode/maximal/tree_map.h"

namespace polhode::projected {

/// Watches the thin wheels that roll on planes. One that lies flat has no lowest point: the contact jumps to the other side of
/// the wheel there, and what rolling means is lost. A step that ends beyond such a moment must not be taken.
class FlatWheels {
 public:
  explicit FlatWheels(const Mechanism& mechanism);

  bool any() const { return !wheels_.empty(); }
  /// By constraint element, as State::enabled().
  void set_enabled(std::span<const char> enabled);
  /// Whether an enabled wheel has gone through lying flat, or its heading has turned by more than a quarter turn, between two
  /// places of the mechanism. Does not allocate.
  bool turn_over(const maximal::Bodies& before, const maximal::Bodies& after);
  bool turn_over(std::span<const double> q_before, std::span<const double> q_after);
  /// Which one it was, the last time.
  const std::string& name() const { return name_; }

 private:
  struct Wheel {
    const Constraint* constraint;
    int element;
    const Frame *frame, *plane;
    bool enabled;
  };
  Mechanism mechanism_;
  maximal::TreeMap map_;
  std::vector<Wheel> wheels_;
  std::vector<double> at_rest_;
  maximal::Bodies before_, after_;
  std::string name_;
};

/// In words. fixed_step: of the method, when it has one [s].
std::string explain_flat_wheel(double t, const std::string& name, std::optional<double> fixed_step);

}  // namespace polhode::projected
