#include "polhode/study/design_search.h"

#include <fmt/format.h>
#include <nlopt.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <stdexcept>

namespace polhode::study {
namespace {

struct NloptMethod {
  DesignMethod told;
  nlopt_algorithm algorithm;
};

const std::vector<NloptMethod>& methods() {
  static const std::vector<NloptMethod> all{
      {{"bobyqa", "quadratic models within bounds (Powell 2009)", false, false, false}, NLOPT_LN_BOBYQA},
      {{"cobyla", "linear models, with limits (Powell 1994)", true, false, false}, NLOPT_LN_COBYLA},
      {{"nelder-mead", "a simplex that turns over; for measures with kinks", false, false, false}, NLOPT_LN_NELDERMEAD},
      {{"subplex", "the same in subspaces (Rowan 1990)", false, false, false}, NLOPT_LN_SBPLX},
      {{"slsqp", "quadratic models from derivatives, which are differences between runs; with limits (Kraft 1988)", true, false,
        false},
       NLOPT_LD_SLSQP},
      {{"crs", "a population, globally (Kaelo and Ali 2006), then a local method", false, true, true}, NLOPT_GN_CRS2_LM},
      {{"isres", "an evolution with limits, globally (Runarsson and Yao 2005), then a local method", true, true, true},
       NLOPT_GN_ISRES},
      {{"direct", "divides the bounds' box, globally (Gablonsky and Kelley 2001), then a local method", false, true, true},
       NLOPT_GN_DIRECT_L},
  };
  return all;
}

const NloptMethod& named(const std::string& name) {
  return *std::find_if(methods().begin(), methods().end(), [&](const NloptMethod& m) { return m.told.name == name; });
}

struct Deleter {
  void operator()(nlopt_opt o) const { nlopt_destroy(o); }
};
using Optimizer = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, Deleter>;

/// One search: what NLopt asks for, from runs of the model. No exception passes through NLopt: it is kept and thrown later.
class Search {
 public:
  Search(const ScaledProblem& problem, const NloptMethod& method, long runs_allowed, int threads)
      : problem_(problem), method_(method), runs_allowed_(runs_allowed), threads_(threads), n_(problem.size()) {}

  SearchOutcome go(const std::vector<double>& start, double first_change);

 private:
  /// Limits of one kind: their numbers among all.
  struct Kind {
    Search* search;
    std::vector<std::size_t> limits;
  };

  static double objective(unsigned n, const double* y, double* gradient, void* self);
  static void limits(unsigned m, double* result, unsigned n, const double* y, double* gradient, void* kind);
  void set_up(double first_change);
  const Scored& at(const double* y);
  const std::vector<Scored>& slopes_at(const double* y);
  Scored keep(const std::vector<double>& y, Measurement measured);
  void stop() { nlopt_force_stop(optimizer_.get()); }
  std::string reason(nlopt_result result) const;

  const ScaledProblem& problem_;
  const NloptMethod& method_;
  long runs_allowed_;
  int threads_;
  std::size_t n_;
  Optimizer optimizer_;
  Kind inequalities_{this, {}}, equalities_{this, {}};
  std::vector<double> y_, slopes_y_;  // of last_ and slopes_
  Scored last_;
  std::vector<Scored> slopes_;
  double least_ = 0, most_ = 0;  // objectives so far
  bool any_ = false, out_of_runs_ = false;
  std::exception_ptr thrown_;
  SearchOutcome outcome_;
};

/// What NLopt is told of a run: one that failed is worse than all others so far, and beyond all limits.
Scored Search::keep(const std::vector<double>& y, Measurement measured) {
  outcome_.interrupted |= measured.interrupted;
  DesignTry tried{.values = problem_.values(y), .measures = measured.measures, .failure = std::move(measured.failure)};
  Scored scored = problem_.score(tried.measures);
  if (scored.ok) {
    tried.meets_limits = problem_.meets_limits(tried.measures);
    least_ = any_ ? std::min(least_, scored.objective) : scored.objective;
    most_ = any_ ? std::max(most_, scored.objective) : scored.objective;
    any_ = true;
    if (outcome_.best.empty() || problem_.better(tried.measures, outcome_.best_measures))
      outcome_.best = tried.values, outcome_.best_measures = tried.measures;
  } else {
    scored.objective = most_ + (most_ > least_ ? most_ - least_ : 1);
    scored.limits.assign(problem_.problem().limits.size(), 1.0);
  }
  outcome_.tries.push_back(std::move(tried));
  return scored;
}

const Scored& Search::at(const double* y) {
  if (!y_.empty() && std::equal(y_.begin(), y_.end(), y)) return last_;
  if (long(outcome_.tries.size()) >= runs_allowed_) {
    out_of_runs_ = true;
    stop();
    return last_;
  }
  y_.assign(y, y + n_);
  last_ = keep(y_, problem_.problem().model(problem_.values(y_)));
  if (outcome_.interrupted) stop();
  return last_;
}

/// By variable: derivatives as differences, from both sides where bounds and failures allow it.
const std::vector<Scored>& Search::slopes_at(const double* y) {
  const Scored here = at(y);
  if (slopes_y_ == y_) return slopes_;
  slopes_y_ = y_;
  std::vector<std::vector<double>> places, values;
  for (std::size_t k = 0; k < n_; ++k)
    for (const double sign : {-1.0, 1.0}) {
      std::vector<double> place = y_;
      place[k] = std::clamp(place[k] + sign * 0.1 * problem_.options().difference, problem_.lower()[k], problem_.upper()[k]);
      values.push_back(problem_.values(place));
      places.push_back(std::move(place));
    }
  std::vector<Measurement> measured = measure_all(problem_.problem().model, values, threads_);
  slopes_.assign(n_, Scored{.ok = true, .objective = 0, .limits = std::vector<double>(here.limits.size())});
  for (std::size_t k = 0; k < n_; ++k) {
    Scored low = keep(places[2 * k], std::move(measured[2 * k]));
    Scored high = keep(places[2 * k + 1], std::move(measured[2 * k + 1]));
    const double from = low.ok ? places[2 * k][k] : y_[k], to = high.ok ? places[2 * k + 1][k] : y_[k];
    if (!low.ok) low = here;
    if (!high.ok) high = here;
    if (!(to > from)) continue;
    slopes_[k].objective = (high.objective - low.objective) / (to - from);
    for (std::size_t i = 0; i < here.limits.size(); ++i) slopes_[k].limits[i] = (high.limits[i] - low.limits[i]) / (to - from);
  }
  return slopes_;
}

double Search::objective(unsigned, const double* y, double* gradient, void* self) {
  Search& s = *static_cast<Search*>(self);
  try {
    const double value = s.at(y).objective;
    if (gradient)
      for (std::size_t k = 0; k < s.n_; ++k) gradient[k] = s.slopes_at(y)[k].objective;
    return value;
  } catch (...) {
    s.thrown_ = std::current_exception();
    s.stop();
    return 0;
  }
}

void Search::limits(unsigned m, double* result, unsigned, const double* y, double* gradient, void* kind) {
  const Kind& of = *static_cast<Kind*>(kind);
  Search& s = *of.search;
  try {
    const Scored& here = s.at(y);
    for (std::size_t i = 0; i < m; ++i) result[i] = here.limits[of.limits[i]];
    if (gradient)
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t k = 0; k < s.n_; ++k) gradient[i * s.n_ + k] = s.slopes_at(y)[k].limits[of.limits[i]];
  } catch (...) {
    s.thrown_ = std::current_exception();
    s.stop();
    std::fill_n(result, m, 0.0);
  }
}

void Search::set_up(double first_change) {
  optimizer_.reset(nlopt_create(method_.algorithm, unsigned(n_)));
  nlopt_opt o = optimizer_.get();
  const double tolerance = problem_.options().tolerance;
  nlopt_set_lower_bounds(o, problem_.lower().data());
  nlopt_set_upper_bounds(o, problem_.upper().data());
  nlopt_set_min_objective(o, objective, this);
  nlopt_set_xtol_abs1(o, tolerance);
  nlopt_set_xtol_rel(o, 0);
  if (method_.algorithm == NLOPT_LD_SLSQP) nlopt_set_ftol_abs(o, 1e-2 * tolerance * tolerance);
  nlopt_set_initial_step1(o, first_change);
  for (std::size_t i = 0; i < problem_.problem().limits.size(); ++i)
    (problem_.problem().limits[i].sense == DesignLimit::Sense::equal ? equalities_ : inequalities_).limits.push_back(i);
  const std::vector<double> allowed(problem_.problem().limits.size(), 0.1 * tolerance);
  if (!inequalities_.limits.empty())
    nlopt_add_inequality_mconstraint(o, unsigned(inequalities_.limits.size()), limits, &inequalities_, allowed.data());
  if (!equalities_.limits.empty())
    nlopt_add_equality_mconstraint(o, unsigned(equalities_.limits.size()), limits, &equalities_, allowed.data());
}

std::string Search::reason(nlopt_result result) const {
  if (outcome_.interrupted) return "it was interrupted";
  if (out_of_runs_) return "the limit of runs was reached";
  switch (result) {
    case NLOPT_ROUNDOFF_LIMITED: return "rounding hides any further change";
    case NLOPT_FTOL_REACHED: return "the measure no longer changes";
    case NLOPT_XTOL_REACHED:
    case NLOPT_SUCCESS: return "the values no longer change";
    default: break;
  }
  const char* const text = nlopt_get_errmsg(optimizer_.get());
  return fmt::format("{} gave up{}", method_.told.name, text ? fmt::format(": {}", text) : std::string());
}

SearchOutcome Search::go(const std::vector<double>& start, double first_change) {
  set_up(first_change);
  nlopt_srand(static_cast<unsigned long>(problem_.options().seed));
  std::vector<double> y = problem_.scaled(start);
  double least = 0;
  const nlopt_result result = nlopt_optimize(optimizer_.get(), y.data(), &least);
  if (thrown_) std::rethrow_exception(thrown_);
  outcome_.at_rest = (result > 0 || result == NLOPT_ROUNDOFF_LIMITED) && !out_of_runs_ && !outcome_.interrupted;
  outcome_.reason = reason(result);
  return std::move(outcome_);
}

}  // namespace

const std::vector<DesignMethod>& design_methods() {
  static const std::vector<DesignMethod> all = [] {
    std::vector<DesignMethod> told;
    for (const NloptMethod& method : methods()) told.push_back(method.told);
    return told;
  }();
  return all;
}

SearchOutcome search(const ScaledProblem& problem, const std::string& method, const std::vector<double>& start,
                     double first_change, long runs_allowed, int threads) {
  return Search(problem, named(method), runs_allowed, threads).go(start, first_change);
}

}  // namespace polhode::study
