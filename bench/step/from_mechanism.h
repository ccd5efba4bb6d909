#pragma once
/// A problem from a model of Polhode's own, so that peers run what the model language describes.

#include "polhode/mechanism/mechanism.h"
#include "polhode/state/state.h"
#include "problem.h"

namespace polhode::bench {

/// What Polhode itself runs.  The state refers to the mechanism beside it, so this is neither copied nor moved.
struct OwnModel {
  explicit OwnModel(Mechanism of);
  OwnModel(const OwnModel&) = delete;
  OwnModel& operator=(const OwnModel&) = delete;

  Mechanism mechanism;
  State start;  // assembled: the nearest to the model's own that fits its constraints
};

/// Reads a model of the language.  Throws what format::load_model throws, std::runtime_error if its start cannot be assembled.
std::shared_ptr<const OwnModel> load_own_model(const std::string& path);

/// The same mechanism for every engine.  Throws std::runtime_error that names what a Problem cannot say.
Problem problem_of(std::shared_ptr<const OwnModel> own);

}  // namespace polhode::bench
