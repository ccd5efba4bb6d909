#include "reference.h"

#include <fmt/format.h>

#include <cstdio>
#include <stdexcept>

namespace polhode::bench {
namespace {

struct Row {
  int n;
  Ends acceleration;  // of forward dynamics [rad/s^2]
  Ends torque;        // of inverse dynamics [N m]
  double M_00;        // [kg m^2]
};

// Twelve significant digits, on which Pinocchio 3.7, Bullet, DART and Simbody agree to eleven.
constexpr std::array rows{
    Row{7, {0.572837816797, -7.18641887261}, {10.5746054122, 0.157304775347}, 102.138166381},
    Row{30, {0.668840540165, -0.455443618843}, {546.297009638, -5.5499075066}, 7963.70025425},
    Row{100, {0.668745476165, 0.522712784575}, {9300.5901783, -5.99509920393}, 295307.116814},
    Row{300, {0.668744173454, 0.225079018188}, {-115266.331095, -1.24828192377}, 7976376.15607},
    Row{1000, {0.668744173454, -9.40018464521}, {-48621911.866, 156.211308581}, 295465802.738},
};

// The last hinge carries one link, whatever the pose: its inertia about its own end.
constexpr double M_last = chain::central_inertia + chain::link_mass * chain::centre_of_mass * chain::centre_of_mass;

bool report_mismatch(const SubjectKind& kind, Operation operation, int n, const char* which, double value, double expected,
                     int digits) {
  if (agrees(value, expected, digits)) return false;
  fmt::print(stderr, "MISMATCH {} of {} at n = {}: {} entry is {:.12g}, expected {:.12g} to {} digits\n", name(operation),
             kind.name, n, which, value, expected, digits);
  return true;
}

}  // namespace

Ends reference(Operation operation, int n) {
  for (const Row& row : rows) {
    if (row.n != n) continue;
    switch (operation) {
      case Operation::forward_dynamics: return row.acceleration;
      case Operation::inverse_dynamics: return row.torque;
      case Operation::mass_matrix: return {row.M_00, M_last};
    }
  }
  throw std::invalid_argument(fmt::format("there are no reference values for a chain of {} links", n));
}

bool agrees(double value, double expected, int digits) {
  const double unit_of_last_digit = std::pow(10.0, std::floor(std::log10(std::abs(expected))) - (digits - 1));
  return std::abs(value - expected) <= 0.5 * unit_of_last_digit;  // false for NaN
}

int count_mismatches(const SubjectKind& kind, std::span<const int> sizes, SubjectPool& pool) {
  int mismatches = 0;
  for (const int n : sizes) {
    const int digits = n >= 300 ? kind.digits_of_long_ones : kind.digits;
    for (const Operation operation : all_operations) {
      const std::optional<Ends> found = evaluate(pool.get(kind, n), operation, chain::q(0));
      if (!found) continue;
      const Ends expected = reference(operation, n);
      mismatches += report_mismatch(kind, operation, n, "first", found->first, expected.first, digits);
      mismatches += report_mismatch(kind, operation, n, "last", found->last, expected.last, digits);
    }
  }
  return mismatches;
}

}  // namespace polhode::bench
