#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "polhode/state/stepper.h"

/// What steppers say of steps that failed, in the words that they share.
namespace polhode::stepping {

/// Throws std::out_of_range where a time is before the last step, which went from t0 to t1.
void require_not_before(double t0, double t1, double t);

std::string explain_limit_passed(double t);
/// who: more of where it is, such as "; largest in speed ...", or nothing.
std::string explain_not_finite(double t, const std::string& who, const std::optional<double>& fixed_step);
/// place: what else it may be at, in words.
std::string explain_too_small(const StepReport& report, double accuracy, const std::string& who, std::string_view place);
/// signal: whose; jumps: what of it does.
std::string explain_jump(double t, const std::string& signal, std::string_view jumps, std::string_view method);
/// Of Newton's iteration, down to steps of h. where: which equation is off.
std::string explain_no_convergence(double t, double h, const std::string& where, std::string_view question);

/// Of an auxiliary state for which no step down to h can be solved.
std::string explain_no_state(double t, double h, const std::string& state);

/// ", or try dt = ..." where the step is fixed.
std::string or_shorter(const std::optional<double>& fixed_step);

inline constexpr std::string_view is_it_singular =
    "Does a constraint become impossible there, or is it a singular place, where the mechanism could move on in more ways than "
    "one?";

}  // namespace polhode::stepping
