#include "polhode/study/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <stdexcept>

#include "polhode/mechanism/problem.h"
#include "polhode/study/design_check.h"
#include "polhode/study/design_search.h"
#include "polhode/study/parallel.h"
#include "polhode/study/sampling.h"

namespace polhode::study {
namespace {

using Sense = DesignLimit::Sense;

constexpr double first_change = 0.1;   // of a search, in units of the variables' scales
constexpr double later_change = 0.02;  // of one that begins at what another one found
constexpr int most_restarts = 3;

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

void check_variables(const std::vector<DesignVariable>& variables) {
  if (variables.empty()) refuse("there is nothing to choose; name at least one parameter");
  for (auto v = variables.begin(); v != variables.end(); ++v) {
    if (std::any_of(variables.begin(), v, [&](const DesignVariable& other) { return other.name == v->name; }))
      refuse(fmt::format("\"{}\" is named twice; keep one", v->name));
    if (!std::isfinite(v->start)) refuse(fmt::format("\"{}\" starts at {}; give a finite number", v->name, v->start));
    if (!(v->lower < v->upper))
      refuse(fmt::format("the bounds of \"{}\", {} and {}, leave no room", v->name, v->lower, v->upper));
    if (!(v->lower <= v->start && v->start <= v->upper))
      refuse(
          fmt::format("\"{}\" starts at {}, which is not between its bounds {} and {}", v->name, v->start, v->lower, v->upper));
  }
}

/// Two limits of one measure that nothing can meet.
void check_limits(const std::vector<DesignLimit>& limits) {
  const auto least = [](const DesignLimit& l) { return l.sense == Sense::at_most ? -HUGE_VAL : l.bound; };
  const auto most = [](const DesignLimit& l) { return l.sense == Sense::at_least ? HUGE_VAL : l.bound; };
  for (auto l = limits.begin(); l != limits.end(); ++l) {
    if (!std::isfinite(l->bound)) refuse(fmt::format("the limit of \"{}\" is {}; give a finite number", l->name, l->bound));
    for (auto other = limits.begin(); other != l; ++other)
      if (other->name == l->name && (least(*l) > most(*other) || least(*other) > most(*l)))
        refuse(fmt::format("the limits of \"{}\" contradict each other: nothing is at least {} and at most {}", l->name,
                           std::max(least(*l), least(*other)), std::min(most(*l), most(*other))));
  }
}

std::string local_method(const DesignProblem& problem) { return problem.limits.empty() ? "bobyqa" : "cobyla"; }

const DesignMethod& check_method(const DesignProblem& problem, const DesignOptions& options) {
  const std::string name = options.method == "auto" ? local_method(problem) : options.method;
  const auto& all = design_methods();
  const auto method = std::find_if(all.begin(), all.end(), [&](const DesignMethod& m) { return m.name == name; });
  std::vector<std::string> names{"auto"};
  for (const DesignMethod& m : all) names.push_back(m.name);
  if (method == all.end())
    refuse(fmt::format("there is no method of design \"{}\"{}", name, suggestion(name, names, "there are")));
  std::vector<std::string> able;
  for (const DesignMethod& m : all)
    if (m.takes_limits) able.push_back(m.name);
  if (!problem.limits.empty() && !method->takes_limits)
    refuse(fmt::format("method {} takes no limits; {} do", name, fmt::join(able, ", ")));
  const auto unbounded = std::find_if(problem.variables.begin(), problem.variables.end(),
                                      [](const DesignVariable& v) { return !std::isfinite(v.upper - v.lower); });
  if (unbounded != problem.variables.end() && (method->needs_bounds || options.starts > 1))
    refuse(fmt::format("\"{}\" has no bounds, which {}; give low:high", unbounded->name,
                       method->needs_bounds ? "method " + name + " needs" : "a search from several places needs"));
  if (method->is_global && options.starts > 1)
    refuse(fmt::format("method {} searches everywhere by itself; leave out the several places to start from", name));
  return *method;
}

void check_options(const DesignOptions& o) {
  if (!(o.tolerance > 0 && o.tolerance <= 0.1))
    refuse(fmt::format("the tolerance {} must be above 0 and at most 0.1", o.tolerance));
  if (o.most_runs < 1) refuse(fmt::format("{} runs are allowed; allow at least 1", o.most_runs));
  if (o.starts < 1) refuse(fmt::format("{} places to start from; give at least 1", o.starts));
  if (!(o.difference > 0 && o.difference < 1)) refuse(fmt::format("the difference {} must be between 0 and 1", o.difference));
}

class Designer {
 public:
  Designer(const DesignProblem& problem, const DesignOptions& options, const DesignMethod& method, const Measurement& at_start)
      : problem_(problem), options_(options), method_(method), scaled_(problem, options, at_start.measures) {
    result_.runs = 1;
    if (at_start.ok()) {
      result_.measure_start = at_start.measures[0];
    } else {
      result_.failures = 1;
      result_.first_failure = at_start.failure;
      result_.interrupted = at_start.interrupted;
    }
  }

  DesignResult go() {
    search_from_all_places();
    if (best_.best.empty())
      throw std::runtime_error(fmt::format("no run succeeds where the search begins: {}", result_.first_failure));
    if (method_.is_global && !result_.interrupted) go_on_from_best(local_method(problem_), first_change);
    for (int i = 0; i < most_restarts && may_go_on(); ++i)
      if (!restart()) break;
    put_best();
    if (result_.met && !result_.interrupted) check_neighbourhood(scaled_, result_);
    judge();
    return std::move(result_);
  }

 private:
  std::vector<double> start_values() const {
    std::vector<double> values;
    for (const DesignVariable& v : problem_.variables) values.push_back(v.start);
    return values;
  }

  /// The start, then points of a Latin hypercube.
  std::vector<std::vector<double>> places() const {
    std::vector<std::string> names;
    for (const DesignVariable& v : problem_.variables) names.push_back(v.name);
    const UnitSamples samples(Sampling::latin_hypercube, names, std::max(1, options_.starts - 1), options_.seed);
    std::vector<std::vector<double>> all{start_values()};
    for (int i = 1; i < options_.starts; ++i) {
      std::vector<double> place;
      for (std::size_t k = 0; k < names.size(); ++k) {
        const DesignVariable& v = problem_.variables[k];
        place.push_back(v.lower + (v.upper - v.lower) * samples.uniform(k, i - 1));
      }
      all.push_back(std::move(place));
    }
    return all;
  }

  void search_from_all_places() {
    const auto from = places();
    const long runs = std::max<long>(1, options_.most_runs / long(from.size()));
    const bool many = from.size() > 1;
    std::vector<SearchOutcome> outcomes(from.size());
    std::vector<std::exception_ptr> thrown(from.size());
    const auto one = [&](std::size_t i) {
      try {
        outcomes[i] = search(scaled_, method_.name, from[i], first_change, runs, many ? 1 : options_.threads);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    };
    if (many)
      for_each_index(from.size(), options_.threads, one);
    else
      one(0);
    for (const std::exception_ptr& e : thrown)
      if (e) std::rethrow_exception(e);
    std::size_t best = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      note(outcomes[i], int(i));
      if (outcomes[i].best.empty()) continue;
      if (outcomes[best].best.empty() || scaled_.better(outcomes[i].best_measures, outcomes[best].best_measures)) best = i;
    }
    result_.starts = int(from.size());
    result_.starts_agreeing = int(std::count_if(outcomes.begin(), outcomes.end(), [&](const SearchOutcome& o) {
      return !o.best.empty() && scaled_.meets_limits(o.best_measures) == scaled_.meets_limits(outcomes[best].best_measures) &&
             same_measure(o.best_measures[0], outcomes[best].best_measures[0]);
    }));
    best_ = std::move(outcomes[best]);
    best_place_ = int(best);
  }

  bool same_measure(double a, double b) const {
    return std::abs(a - b) <= 1e-4 * std::max({std::abs(a), std::abs(b), 1e-3 * scaled_.objective_size()});
  }

  void note(SearchOutcome& outcome, int place) {
    for (DesignTry& tried : outcome.tries) {
      tried.start = place;
      ++result_.runs;
      if (tried.measures.empty()) {
        ++result_.failures;
        if (result_.first_failure.empty()) result_.first_failure = tried.failure;
      }
      result_.tries.push_back(std::move(tried));
    }
    result_.interrupted |= outcome.interrupted;
  }

  bool may_go_on() const { return best_.at_rest && !result_.interrupted; }

  /// A search that begins at the best values; true where it found better ones.
  bool go_on_from_best(const std::string& method, double change) {
    const long runs = std::max<long>(options_.most_runs / 2, 20);
    SearchOutcome next = search(scaled_, method, best_.best, change, runs, options_.threads);
    note(next, best_place_);
    const bool better = !next.best.empty() && scaled_.better(next.best_measures, best_.best_measures);
    if (better) {
      best_ = std::move(next);
    } else if (method_.is_global) {  // it is the second stage that comes to rest
      best_.at_rest = next.at_rest;
      best_.reason = next.reason;
    }
    return better;
  }

  bool restart() {
    const double before = best_.best_measures[0];
    const bool met = scaled_.meets_limits(best_.best_measures);
    const bool found = go_on_from_best(method_.is_global ? local_method(problem_) : method_.name, later_change);
    const double gain = found ? (problem_.maximize ? 1 : -1) * (best_.best_measures[0] - before) : 0;
    result_.restart_gain = gain;
    return found &&
           (!met || gain > 1e3 * options_.tolerance * options_.tolerance * scaled_.objective_size() + 1e-9 * std::abs(before));
  }

  void put_best() {
    constexpr double near = 1e2;  // tolerances
    const double close = near * options_.tolerance;
    result_.method = method_.name, result_.reason = best_.reason;
    result_.measure = best_.best_measures[0];
    result_.met = scaled_.meets_limits(best_.best_measures);
    for (std::size_t k = 0; k < problem_.variables.size(); ++k) {
      const DesignVariable& v = problem_.variables[k];
      const double value = best_.best[k], reach = close * scaled_.scale(k);
      result_.values.push_back({v.name, v.start, value, value - v.lower <= reach, v.upper - value <= reach, std::nullopt});
    }
    for (std::size_t i = 0; i < problem_.limits.size(); ++i) {
      const DesignLimit& limit = problem_.limits[i];
      const double measured = best_.best_measures[i + 1], margin = limit.margin(measured);
      result_.limits.push_back({limit, measured, margin, margin <= close * scaled_.limit_size(i), std::nullopt});
    }
  }

  void judge() {
    result_.converged = best_.at_rest && result_.met && !result_.interrupted;
    if (!result_.met)
      for (const DesignResult::Limit& l : result_.limits)
        if (l.margin < -options_.tolerance * scaled_.limit_size(std::size_t(&l - result_.limits.data())))
          result_.warnings.push_back(
              fmt::format("no values were found that meet the limit of {}: it is missed by {:.4g}", l.limit.name, -l.margin));
    for (const DesignResult::Value& v : result_.values)
      if (v.at_lower || v.at_upper)
        result_.warnings.push_back(
            fmt::format("\"{}\" ended at its bound {:.9g}; a value beyond it might be better", v.name, v.value));
    if (result_.failures > 0)
      result_.warnings.push_back(fmt::format("{} of {} runs failed and counted as worst, the first because {}",
                                             result_.failures, result_.runs, result_.first_failure));
  }

  const DesignProblem& problem_;
  const DesignOptions& options_;
  const DesignMethod& method_;
  ScaledProblem scaled_;
  SearchOutcome best_;
  int best_place_ = 0;
  DesignResult result_;
};

}  // namespace

DesignResult design(const DesignProblem& problem, const DesignOptions& options) {
  const auto began = std::chrono::steady_clock::now();
  check_variables(problem.variables);
  check_limits(problem.limits);
  check_options(options);
  const DesignMethod& method = check_method(problem, options);
  std::vector<double> start;
  for (const DesignVariable& v : problem.variables) start.push_back(v.start);
  DesignResult result = Designer(problem, options, method, problem.model(start)).go();
  result.wall_time = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return result;
}

}  // namespace polhode::study
