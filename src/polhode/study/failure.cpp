#include "polhode/study/failure.h"

#include <algorithm>

#include "polhode/mechanism/law_slopes.h"

namespace polhode::study {

std::string failure_of(const Stepper& stepper, const Mechanism& mechanism, const StepReport& report) {
  const std::string what = stepper.explain(report);
  if (report.status == StepReport::Status::limit_passed) return what;
  State last_good(mechanism);
  stepper.get(last_good);
  const Now now{last_good.time(), last_good.inputs(), last_good.z(), last_good.discrete()};
  const double step = std::max(report.h, stepper.statistics().largest_step);
  const std::string law = law_without_number_ahead(mechanism, now, last_good.q(), last_good.u(), step);
  return law.empty() ? what : what + "; ahead of there " + law;
}

}  // namespace polhode::study
