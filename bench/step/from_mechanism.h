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

/// Where the frame of a link is on a body of the model.
struct LinkPlace {
  int body;
  Transform<double> X_BL;
};

/// By link of problem_of(own).  Links' axes are principal ones, and their y axes those of the loops that they are in.
std::vector<LinkPlace> link_places(const OwnModel& own);

/// The same mechanism for every engine.  Throws std::runtime_error that names what a Problem cannot say.
///
/// Massless frames that lead from the world to a link of a planar mechanism become a free joint, which moves the same.  Where a
/// sleeve closes a loop of a planar mechanism, ball joints become hinges and the sleeve two equations in the plane: the planar
/// twin, which moves the same too.  The energy scale is the kinetic energy at the start and that of lifting the outstretched
/// mechanism from hanging to the horizontal.
Problem problem_of(std::shared_ptr<const OwnModel> own);

}  // namespace polhode::bench
