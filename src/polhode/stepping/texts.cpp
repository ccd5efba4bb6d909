#include "polhode/stepping/texts.h"

#include <fmt/format.h>

#include <stdexcept>

namespace polhode::stepping {

void require_not_before(double t0, double t1, double t) {
  if (!(t >= t0))
    throw std::out_of_range(fmt::format("time {} s was requested, but the last step went from {} to {} s", t, t0, t1));
}

std::string explain_limit_passed(double t) {
  return fmt::format("t = {:.9g} s: the requested end time is before the current time or not finite", t);
}

std::string explain_not_finite(double t, const std::string& who, const std::optional<double>& fixed_step) {
  return fmt::format("t = {:.9g} s: accelerations are no longer finite numbers{}. Check the masses and forces there{}", t, who,
                     or_shorter(fixed_step));
}

std::string explain_too_small(const StepReport& report, double accuracy, const std::string& who, std::string_view place) {
  return fmt::format(
      "t = {:.9g} s: accuracy {:g} needs steps below {:.3g} s{}. Does a force jump there, or is {}? If not, try a larger "
      "accuracy",
      report.t, accuracy, report.h, who, place);
}

std::string explain_jump(double t, const std::string& signal, std::string_view jumps, std::string_view method) {
  return fmt::format(
      "t = {:.9g} s: the signal of {} makes {} jump there, which takes an impulse that {} does not compute; join the samples "
      "smoothly (natural or clamped), or use tree-variational",
      t, signal, jumps, method);
}

std::string explain_no_convergence(double t, double h, const std::string& where, std::string_view question) {
  return fmt::format("t = {:.9g} s: Newton's iteration did not converge, down to steps of {:.3g} s: {}. {}", t, h, where,
                     question);
}

std::string explain_no_state(double t, double h, const std::string& state) {
  return fmt::format(
      "t = {:.9g} s: no value of the auxiliary state \"{}\" agrees with its rate, down to steps of {:.3g} s. Does its rate "
      "jump "
      "there as the state changes, or is it not finite?",
      t, state, h);
}

std::string or_shorter(const std::optional<double>& fixed_step) {
  return fixed_step ? fmt::format(", or try dt = {:.3g} s", *fixed_step / 4) : std::string();
}

}  // namespace polhode::stepping
