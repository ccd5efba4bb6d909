#include "run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <numeric>
#include <stdexcept>

#include "measure.h"

namespace polhode::bench {
namespace {

constexpr double hopeless = 100;  // energy errors beyond this multiple of the scale have nothing to do with the mechanism

/// Follows one run step by step.
class Trace {
 public:
  Trace(StepSubject& subject, const RunPlan& plan, RunOutcome& outcome, std::span<double> samples)
      : subject_(subject), problem_(subject.problem()), plan_(plan), outcome_(outcome), samples_(samples), meter_(problem_) {
    energy_at_start_ = look(0).energy;
    const double meant = Meter(problem_).read(0, start_of(problem_)).energy;
    if (!(std::abs(energy_at_start_ - meant) < 1e-9 * problem_.energy_scale)) {
      throw std::runtime_error(fmt::format("set up wrongly: {} J at the start, not {} J", energy_at_start_, meant));
    }
    note(0);
  }

  void run() {
    const int late = problem_.steps - std::max(1, problem_.steps / 10);
    double sum_late = 0, sum_of_squares = 0;
    for (int k = 1; k <= problem_.steps; ++k) {
      subject_.advance(1);
      const std::string trouble = subject_.trouble();
      if (!trouble.empty()) throw std::runtime_error(trouble);
      look(k * problem_.dt);
      note(k);
      if (k > late) sum_late += outcome_.drift_end;
      if (!problem_.exact_x.empty()) {
        const double deviation = std::abs(bodies_[0].centre[0] - problem_.exact_x[k - 1]);
        sum_of_squares += deviation * deviation;
        outcome_.deviation_largest = std::max(outcome_.deviation_largest, deviation);
      }
    }
    outcome_.drift_late = sum_late / (problem_.steps - late);
    outcome_.deviation_rms = std::sqrt(sum_of_squares / problem_.steps);
    outcome_.counters = subject_.counters();
    if (outcome_.drift_largest > hopeless) {
      throw std::runtime_error(fmt::format("diverged: the energy was off by more than {:g} times its scale", hopeless));
    }
  }

 private:
  const Reading& look(double t) {
    bodies_.resize(problem_.links.size());
    subject_.observe(bodies_);
    return reading_ = meter_.read(t, bodies_);
  }

  /// After step k.
  void note(int k) {
    const double drift = (reading_.energy - energy_at_start_) / problem_.energy_scale;
    if (!std::isfinite(drift)) throw std::runtime_error("no finite numbers any more");
    outcome_.drift_end = drift;
    outcome_.drift_largest = std::max(outcome_.drift_largest, std::abs(drift));
    outcome_.gap = std::max(outcome_.gap, reading_.gap);
    outcome_.tilt = std::max(outcome_.tilt, reading_.tilt);
    outcome_.constraint_error = std::max(outcome_.constraint_error, subject_.constraint_error());
    outcome_.time_reached = k * problem_.dt;
    if (plan_.sample_every > 0 && k % plan_.sample_every == 0) add_sample();
  }

  void add_sample() {
    double* sample = samples_.data() + outcome_.samples++ * sample_size(problem_);
    for (const double value : {outcome_.time_reached, outcome_.drift_end, reading_.gap, reading_.tilt}) *sample++ = value;
    const Momenta momenta = momenta_of(problem_, bodies_);
    for (const Triple& momentum : {momenta.linear, momenta.spin}) sample = std::copy(momentum.begin(), momentum.end(), sample);
    for (const BodyState& body : bodies_) sample = std::copy(body.centre.begin(), body.centre.end(), sample);
  }

  StepSubject& subject_;
  const Problem& problem_;
  const RunPlan& plan_;
  RunOutcome& outcome_;
  std::span<double> samples_;
  Meter meter_;
  std::vector<BodyState> bodies_;
  Reading reading_;
  double energy_at_start_ = 0;
};

/// One timed run, which leaves its times in the outcome.
void time_one_run(StepSubject& subject, int steps, RunOutcome& outcome) {
  using Clock = std::chrono::steady_clock;
  outcome.timed_steps = steps;
  for (int part = 0; part < parts_of_a_run; ++part) {
    const int begin = part * steps / parts_of_a_run, end = (part + 1) * steps / parts_of_a_run;
    const auto start = Clock::now();
    subject.advance(end - begin);
    outcome.seconds_of_part[part] = std::chrono::duration<double>(Clock::now() - start).count();
  }
  const std::string trouble = subject.trouble();
  if (!trouble.empty()) throw std::runtime_error(trouble);
}

/// Exceptions like to speak in paragraphs.
std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = std::isspace(static_cast<unsigned char>(c));
    if (!is_space) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  return line;
}

}  // namespace

std::size_t samples_size(const Problem& problem, const RunPlan& plan) {
  if (plan.sample_every <= 0) return 0;
  return std::size_t(problem.steps / plan.sample_every + 1) * sample_size(problem);
}

Course course_of(const Problem& problem, std::span<const double> samples, std::size_t count) {
  Course course{.links = problem.links.size()};
  for (const double* sample = samples.data(); course.size() < count; sample += sample_size(problem)) {
    course.t.push_back(sample[0]);
    course.energy.push_back(sample[1]);
    course.gap.push_back(sample[2]);
    course.tilt.push_back(sample[3]);
    const auto triple = [sample](std::size_t at) { return Triple{sample[at], sample[at + 1], sample[at + 2]}; };
    course.momentum.push_back(triple(4));
    course.spin.push_back(triple(7));
    auto& centres = course.centres.emplace_back();
    for (std::size_t i = 0; i < course.links; ++i) centres.push_back(triple(10 + 3 * i));
  }
  return course;
}

double RunOutcome::seconds_per_step() const {
  return std::accumulate(seconds_of_part.begin(), seconds_of_part.end(), 0.0) / timed_steps;
}

void RunOutcome::merge_times(const RunOutcome& other) {
  for (int part = 0; part < parts_of_a_run; ++part) {
    seconds_of_part[part] = std::min(seconds_of_part[part], other.seconds_of_part[part]);
  }
}

void set_reason(RunOutcome& outcome, const std::string& reason) {
  outcome.finished = false;
  const std::string line = on_one_line(reason);
  const std::size_t length = std::min(line.size(), outcome.reason.size() - 1);
  std::copy_n(line.begin(), length, outcome.reason.begin());
  outcome.reason[length] = '\0';
}

void run_here(MakeStepSubject make, const std::string& method, const Problem& problem, const RunPlan& plan, RunOutcome& outcome,
              std::span<double> samples) {
  try {
    if (plan.trace) {  // first, so that it warms up what the timed runs use
      const auto subject = make(problem, method);
      Trace(*subject, plan, outcome, samples).run();
    }
    const RunOutcome traced = outcome;
    for (int i = 0; i < plan.repetitions; ++i) {
      const auto subject = make(problem, method);
      RunOutcome timed = traced;
      time_one_run(*subject, plan.timed_steps > 0 ? plan.timed_steps : problem.steps, timed);
      if (!plan.trace) timed.counters = subject->counters();
      if (i > 0) timed.merge_times(outcome);
      outcome = timed;
    }
    outcome.finished = true;
  } catch (const std::exception& error) {
    set_reason(outcome, error.what());
  }
}

}  // namespace polhode::bench
