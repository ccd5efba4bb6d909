#pragma once
#include <limits>

/// The numbers by which maximal-variational decides what is met, what is credible and what has to be done with shorter steps.
namespace polhode::variational::acceptance {

// Newton's iteration (maximal_step.cpp).

/// A guess is taken as it is only when it is as good as one that was corrected: the error left by a loose tolerance would add
/// up from guess to guess.
inline constexpr double good_guess = 1e-10;
/// Iterations at most, in the ordinary way and carefully; and how often a correction is halved.
inline constexpr int most_iterations = 12, most_careful_iterations = 40, most_cuts = 6;
/// Old factors serve where they are expected to bring the error down to this part of the tolerance.
inline constexpr double of_tolerance = 0.1;
/// Compliance of constraints in careful iterations, of what they give anyway: at first, from one to the next, and what is none.
inline constexpr double first_compliance = 0.1, next_compliance = 0.3, no_compliance = 1e-6;
/// Where gaps are the largest errors, they stand still: they grow by no more than this.
inline constexpr double standing = 1.01;

// Errors that nothing makes smaller (error_floor.h).

/// Places can be told apart by this part of how far they are from the origin.
inline constexpr double of_reach = 1e-15;
/// Impulses that cancel leave so much of their sizes.
inline constexpr double of_impulses = 4 * std::numeric_limits<double>::epsilon();
/// Bodies with less than these parts of the typical mass are judged as if they had that much: what forces on them leave would
/// be rounding.
inline constexpr double least_inertia = 1e-9, least_mass = 1e-6;
/// Pivots are squares of what rows are independent by: rows that are so by less than 1e-5 may be redundant but for the digits
/// that a model was written with. Beyond this, the mechanism may be one that is nearly flat.
inline constexpr double nearly_redundant = 1e-5 * 1e-5;

// Whether a step follows the motion (maximal_variational.cpp).

/// A body's angular velocity may change by so much in a step [rad], and by so much where the energy tells that all is well:
/// where it jumps by no more than this part of the largest kinetic energy.
inline constexpr double doubtful_turn = 0.05, most_turn = 0.5, small_jump = 2e-4;
/// Steps from which the usual jumps of the energy are learnt, how many times a usual one is credible, and how much of it is
/// remembered from step to step.
inline constexpr int steps_to_learn = 10;
inline constexpr double times_usual = 10, remembered = 0.99;
/// Jumps that are credible in any case, of the largest kinetic energy: where small ones count, and where only large ones do.
inline constexpr double any_jump = 0.01, large_jump = 0.5;
/// So often is a step made smaller because its energy is a little out of line.
inline constexpr int most_doubts = 3;

// Guesses.

/// Steps are equal that differ by no more than this part; motion is smooth where the third differences of velocities are no
/// more than half of the second ones (squared here).
inline constexpr double equal_steps = 1e-6, third_by_second = 0.25;
/// Angles between bodies are read again before they may have turned by so much [rad].
inline constexpr double most_unread = 1;

}  // namespace polhode::variational::acceptance
