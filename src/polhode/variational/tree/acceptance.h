#pragma once

/// What tree-variational takes for a solution and for a motion that its steps resolve: all constants that decide what physics
/// is accepted. None is an option: each tells right from wrong by orders of magnitude, and where between them it stands does
/// not matter.
namespace polhode::variational::acceptance {

// A step that Newton has solved. Its change is the largest difference between an angle's increment and what the step before
// would make it [rad].

/// Beyond this the motion is not resolved, and Newton may have found another of the equations' solutions, far away.
inline constexpr double most_change = 0.5;
/// From here on the motion is violent, steps may have to be halved, and energy is watched.
inline constexpr double violent_change = 0.1;
/// Up to this a step is taken whatever the energy says.
inline constexpr double harmless_change = 0.02;

// The energy's error while it is watched, of what the energy can vary by.

inline constexpr double energy_error = 4e-3;
/// With constraints only a run-away counts: near their singular places the speeds that belong to a momentum, and their energy,
/// mean little.
inline constexpr double energy_error_with_constraints = 0.2;
/// An error that was there before may grow by this factor.
inline constexpr double energy_error_growth = 1.2;

// Newton's iteration.

/// Corrections are not cut to less than this part.
inline constexpr double least_fraction = 1.0 / 64;
/// Corrections below this [rad], [m] may be rounding: they are where they exceed ten times what they should have come down to.
inline constexpr double round_off = 1e-9;
inline constexpr double expected_part = 0.1;
/// Forces are in balance when residuals are this part of their own terms, ...
inline constexpr double balanced = 1e-9;
/// ... terms counting as no less than this part of the largest, for rounding in that one leaves as much.
inline constexpr double weakest = 1e-6;
/// A force between frames that changes the Newton matrix by less than this part is left out of it: the error then shrinks
/// twentyfold or better with each correction anyway.
inline constexpr double soft = 0.05;

}  // namespace polhode::variational::acceptance
