#pragma once
#include <limits>

#include "polhode/linear/ldu_program.h"

/// The numbers by which maximal-projected decides what counts as met, as moved, as redundant or as lost.
namespace polhode::projected::acceptance {

// Rows that depend on each other (jet_start.h, maximal/compliant_solver.h).

/// Pivots are squares of what rows are independent by: rows that are so by less than 1e-5 may be redundant but for the digits
/// that a model was written with. Beyond this, the mechanism may be one that is nearly flat.
inline constexpr double nearly_redundant = 1e-5 * 1e-5;
/// Compliances that redundant rows share, of what a row gives anyway: where they can be met together, and where not.
inline constexpr double compliance = 1e-8, compliance_with_gaps = 1e-6;
/// The compliance is taken out of directions in which the rows' own part is more than this, until so little of what it left at
/// first is there.
inline constexpr double own_part = 1e-4, compliance_left = 1e-6;
/// Rows are redundant that are independent by no more than so many times the distance from the constraints.
inline constexpr double times_distance = 10;

// Bringing points onto the manifolds.

/// A state that is set is off its constraints by no more than this, of its largest number, or of 1 for positions and of
/// least_speed for speeds. Only so near to the constraints, by the largest body, the rank of their rows is what it is on them.
inline constexpr double far_off = 0.01, least_speed = 1e-3;
/// Rounding of a row: sums of products of rotations, each good to some units in the last place of the longest term.
inline constexpr double units_lost = 32 * std::numeric_limits<double>::epsilon();
/// Newton's iterations in a projection, at most.
inline constexpr int most_iterations = 25;
/// Factors of a point near by serve as long as an iteration leaves less than this of the error; where it leaves more than
/// `standing`, the error stands still.
inline constexpr double falls_fast = 0.03, standing = 0.9;
/// Errors of so many tolerances may stand still where rows contradict each other.
inline constexpr double still_near = 1e3;

// Invariants (jet_invariants.h).

/// Pivots of invariants' gradients below this, of rows and columns in units of their own, count as zero.
inline constexpr double dependent_invariants = 1e-10;
/// Restoring invariants may move a point by so many times the error allowed, or by this where steps are fixed.
inline constexpr double times_accuracy = 30, fixed_step_change = 1e-2;
/// [m/s]: an energy less than that of the mechanism at such speeds is rounding, and errors are measured by this one.
inline constexpr double slowest = 1e-6;
/// How much of the energy may be let go in a run: so many times the accuracy, or this where steps are fixed.
inline constexpr double let_go_accuracies = 1e3, let_go_in_fixed_steps = 1e-2;

// Steps.

/// Stages are brought as near to the constraints as this part of the accuracy.
inline constexpr double of_stages = 0.1;
/// A signal that makes a velocity jump by more than this, of its size or of 1, is refused.
inline constexpr double jump = 1e-9;
/// Steps that fail are made shorter down to this [s].
inline constexpr double shortest_step = 1e-12;
/// Attempts that end at gaps between rows, until the rows are allowed to keep them.
inline constexpr int most_gaps_met = 6;
/// Steps that are good but for invariants that cannot be restored are tried shorter so often.
inline constexpr int tries_to_restore = 2;

}  // namespace polhode::projected::acceptance
