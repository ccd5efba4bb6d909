#pragma once
#include <string>
#include <vector>

#include "polhode/state/state.h"

namespace polhode::study {

/// A number that every state has: a coordinate, a speed, x, y or z of a frame, or an energy.
class Quantity {
 public:
  /// By the name that it has in a table of results (ColumnNames): pin, pin', tip.z, kinetic, potential, energy. Throws
  /// std::invalid_argument that lists what there is.
  Quantity(const Mechanism& mechanism, const std::string& name);
  static bool exists(const Mechanism& mechanism, const std::string& name);

  /// The state must be realized to velocity.
  double operator()(const State& state) const;

 private:
  enum class Kind { none, coordinate, speed, frame, kinetic, potential, energy };
  Quantity(Kind kind, int index, int axis) : kind_(kind), index_(index), axis_(axis) {}
  static Quantity find(const Mechanism& mechanism, const std::string& name);

  Kind kind_;
  int index_, axis_;
};

/// What is kept of a quantity over a run.
struct Measure {
  enum class Keep { final, least, greatest, mean };
  std::string quantity;
  Keep keep = Keep::final;

  /// QUANTITY, or QUANTITY:final, :min, :max or :mean. Throws std::invalid_argument.
  static Measure parse(const std::string& text);
  /// The same, but a text that is a quantity's whole name means that one, colons and all.
  static Measure parse(const std::string& text, const Mechanism& mechanism);
  std::string name() const;  ///< parse() of it gives the measure back
};

/// Follows a measure through the reported states of one run. The mean is over time, straight lines between reports.
class Meter {
 public:
  Meter(const Mechanism& mechanism, const Measure& measure) : quantity_(mechanism, measure.quantity), keep_(measure.keep) {}
  void add(const State& state);
  double value() const;

 private:
  Quantity quantity_;
  Measure::Keep keep_;
  bool started_ = false;
  double last_time_ = 0, duration_ = 0, last_ = 0, least_ = 0, greatest_ = 0, integral_ = 0;
};

}  // namespace polhode::study
