#pragma once
#include <string>
#include <vector>

#include "polhode/mechanism/mechanism.h"

/// For people who write their own potentials and forces: are the derivatives right?
namespace polhode::tree {

/// Where to try an element, and how exact it must be.
struct ElementCheckOptions {
  int configurations = 20;  ///< how many to try, around the mechanism's start
  double reach = 0.5;       ///< how far from it, in every speed's direction [rad], [m]
  double t = 0;             ///< time at which to try [s]
  double tolerance = 1e-6;  ///< of the difference, relative to the largest number it is one of
  unsigned seed = 1;        ///< of the random configurations
};

/// One family of numbers that an element gives, beside what differences of other numbers give.
struct DerivativeCheck {
  std::string what;                ///< "forces against minus the gradient of the energy"
  double difference = 0;           ///< the largest, relative to the largest of the numbers in that configuration
  double given = 0, measured = 0;  ///< where it was found
  int configuration = -1;          ///< from 0; -1 when all numbers were zero
  int row = -1, column = -1;       ///< speeds; no column for forces
};

/// What came of checking an element.
struct ElementCheck {
  bool passed = true;                   ///< every difference is within the tolerance
  bool gives_derivatives = false;       ///< add_derivatives() gave true
  std::vector<DerivativeCheck> checks;  ///< what was compared
  std::string text;                     ///< a line for each of the checks
};

/// Compares a potential's forces with differences of its energy, and its derivatives, if it gives any, with differences of
/// its forces. Fourth-order central differences with steps of 1e-3: exact to about 1e-10 for functions that are smooth on
/// that scale. Throws what the element throws.
ElementCheck check_derivatives(const Potential& potential, const Mechanism& mechanism, const ElementCheckOptions& options = {});
/// Compares the derivatives of a force element, if it gives any, with differences of its forces in displacement and speed.
ElementCheck check_derivatives(const ForceElement& element, const Mechanism& mechanism,
                               const ElementCheckOptions& options = {});
/// All users' potentials, then all users' force elements, of a mechanism.
std::vector<ElementCheck> check_users_elements(const Mechanism& mechanism, const ElementCheckOptions& options = {});

}  // namespace polhode::tree
