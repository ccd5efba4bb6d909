#pragma once
#include <memory>
#include <string>
#include <vector>

#include "polhode/state/state.h"
#include "polhode/study/events.h"
#include "polhode/study/quantity_list.h"
#include "polhode/tree/workspace.h"

namespace polhode::study {

/// A number that follows from a state, one of QuantityList.
class Quantity {
 public:
  /// By the name that it has in a table of results: pin, pin', tip.z, energy, pin.force.z, ... Throws std::invalid_argument
  /// that suggests the nearest.
  Quantity(const Mechanism& mechanism, const std::string& name);
  static bool exists(const Mechanism& mechanism, const std::string& name);
  /// What is asked for, as QuantityList::select() has it. They share one workspace, so all of them are for one thread.
  static std::vector<Quantity> select(const Mechanism& mechanism, const std::vector<std::string>& requests);

  const std::string& name() const { return facts_.name; }
  const std::string& unit() const { return facts_.unit; }
  /// That a state must be realized to.
  Stage stage() const { return facts_.stage; }
  /// Reported states have it only where a run is told to see to it (SimulateOptions::record).
  bool must_be_recorded() const { return stage() > Stage::velocity; }
  /// It sums something up over a run, so a state alone does not tell it: simulate() keeps it where it is recorded.
  bool is_work() const { return facts_.kind == QuantityKind::work; }

  /// Allocates nothing once it was read. Throws StageError; std::logic_error for work that nobody has kept.
  double operator()(const State& state) const;

 private:
  Quantity(QuantityFacts facts, std::shared_ptr<tree::Workspace> workspace, const Mechanism& mechanism);

  QuantityFacts facts_;
  std::shared_ptr<tree::Workspace> workspace_;
  Witness trigger_;  ///< of an event
};

/// The stage that all of them can be read at.
Stage stage_of(const std::vector<Quantity>& quantities);

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
  const Quantity& quantity() const { return quantity_; }

 private:
  Quantity quantity_;
  Measure::Keep keep_;
  bool started_ = false;
  double last_time_ = 0, duration_ = 0, last_ = 0, least_ = 0, greatest_ = 0, integral_ = 0;
};

}  // namespace polhode::study
