#pragma once
#include <vector>

#include "polhode/projected/maximal/jet_matrix.h"

/// The blocks of bodies in the matrices of the jet space, by body, Ground not counted.
namespace polhode::projected {

/// The metric of the jet space, along the tangent directions.
std::vector<JetMatrix::Block> metric_blocks(const JetCoordinates& coordinates);
/// Masses and inertias.
std::vector<JetMatrix::Block> mass_blocks(const Mechanism& mechanism, const JetCoordinates& coordinates);
/// Whether a body's inertia is singular.
std::vector<char> without_inertia(const Mechanism& mechanism, const JetCoordinates& coordinates);
/// For the rows of bodies without inertia.
double weight_of(const Mechanism& mechanism, const JetCoordinates& coordinates);

}  // namespace polhode::projected
