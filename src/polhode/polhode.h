#pragma once
/// \mainpage Polhode
///
/// One include for programs: `#include "polhode/polhode.h"`. What it includes is the public interface. Other headers are
/// installed only where these need them, and may change.
///
/// - Describe a mechanism: polhode::MechanismBuilder, or as text by polhode::format::load_model.
/// - Let it go through time: polhode::study::Simulation step by step, polhode::study::simulate in one go,
///   polhode::study::compare by several methods.
/// - Look at a state: polhode::State, polhode::tree::realize.
/// - Studies: sweeps, fits, equilibrium, inverse kinematics and dynamics, inspection, in polhode::study.
/// - Algorithms on plain arrays: forward and inverse dynamics, Jacobians, derivatives and batches, in polhode::tree.
#include "polhode/version.h"

// Mechanisms, in code and as text.
#include "polhode/format/language/mesh_file.h"
#include "polhode/format/language/model.h"
#include "polhode/format/language/varied_model.h"
#include "polhode/format/language/writer.h"
#include "polhode/mechanism/builder.h"

// Directions, rotations and inertias that guard what they are.
#include "polhode/spatial/rotation_class.h"
#include "polhode/spatial/spatial_inertia.h"

// States, and how they change.
#include "polhode/state/state.h"
#include "polhode/state/stepper.h"
#include "polhode/study/compare.h"
#include "polhode/study/events.h"
#include "polhode/study/simulate.h"
#include "polhode/study/simulation.h"
#include "polhode/study/start.h"

// Studies.
#include "polhode/study/canonical.h"
#include "polhode/study/design.h"
#include "polhode/study/equilibrium.h"
#include "polhode/study/fit.h"
#include "polhode/study/inspect.h"
#include "polhode/study/inverse_dynamics.h"
#include "polhode/study/inverse_kinematics.h"
#include "polhode/study/quantity.h"
#include "polhode/study/sensitivity.h"
#include "polhode/study/sweep.h"

// Algorithms.
#include "polhode/tree/applied_forces.h"
#include "polhode/tree/assemble.h"
#include "polhode/tree/batch.h"
#include "polhode/tree/check_element.h"
#include "polhode/tree/derivatives.h"
#include "polhode/tree/dynamics.h"
#include "polhode/tree/reactions.h"
#include "polhode/tree/realize.h"

// Results as files.
#include "polhode/format/runs/run_file.h"
#include "polhode/format/runs/run_file_writer.h"
#include "polhode/format/runs/table.h"

namespace polhode {

using study::Simulation;

}  // namespace polhode
