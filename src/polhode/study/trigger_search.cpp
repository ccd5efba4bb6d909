#include "polhode/study/trigger_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

constexpr int parts_of_step = 4;

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// Where a state with these speeds is a moment later; speeds and all else as they are.
void move_on(const State& from, double moment, std::vector<double>& q, State& to) {
  const Mechanism& m = from.mechanism();
  q.assign(from.q().begin(), from.q().end());
  const double zero[CustomJoint::max_coordinates] = {};
  double theta[CustomJoint::max_coordinates];
  for (const Joint& joint : m.joints())
    std::visit(
        [&](const auto& model) {
          model.rate_of_chart(from.q().data() + joint.first_q, zero, from.u().data() + joint.first_u, theta);
          for (int i = 0; i < joint.nchart; ++i) theta[i] *= moment;
          model.retract(from.q().data() + joint.first_q, theta, q.data() + joint.first_q);
        },
        joint.model);
  to = from;
  to.set_time(from.time() + moment);
  to.set_q(q);
}

}  // namespace

TriggerSearch::TriggerSearch(const std::vector<Event>& events, const Mechanism& mechanism, double accuracy)
    : events_(events), workspace_(mechanism), accuracy_(accuracy), scratch_(mechanism), later_(mechanism), here_(mechanism) {
  for (std::size_t i = 0; i < events.size(); ++i)
    if (const auto* trigger = std::get_if<Trigger>(&events[i].when)) watches_.push_back({int(i), trigger});
}

double TriggerSearch::window(const Watch& watch, double t) const {
  const double resolved = 8 * std::numeric_limits<double>::epsilon() * std::max(1e-3, std::abs(t));
  return std::max(watch.trigger->window.value_or(1e-4 * accuracy_), resolved);
}

double TriggerSearch::value(const Watch& watch, State& state) {
  const std::string& name = events_[std::size_t(watch.event)].name;
  const auto fail = [&](const std::string& why) {
    return EventFailure(fmt::format("t = {:.9g} s: the witness of event \"{}\" {}", state.time(), name, why));
  };
  double g = 0;
  try {
    tree::realize(state, workspace_, watch.trigger->stage);
    if (watch.trigger->reads_work && work_ != nullptr) work_->tell(state);
    g = watch.trigger->witness(state);
  } catch (const std::exception& error) {
    throw fail(fmt::format("could not be evaluated: {}", error.what()));
  } catch (...) {
    throw fail("threw something that is not a std::exception");
  }
  if (!std::isfinite(g)) throw fail(fmt::format("is {}, which is not a finite number", g));
  return g;
}

double TriggerSearch::value_at(const Watch& watch, const Stepper& stepper, double t) {
  stepper.interpolate(t, scratch_);
  return value(watch, scratch_);
}

void TriggerSearch::sample(State& state, Sample& out) {
  out.t = state.time();
  out.g.clear();
  for (const Watch& watch : watches_) out.g.push_back(value(watch, state));
}

void TriggerSearch::sample_at(const Stepper& stepper, double t, Sample& out) {
  stepper.interpolate(t, scratch_);
  sample(scratch_, out);
}

TriggerSearch::Sample& TriggerSearch::further_sample() {
  if (num_along_ == along_.size()) along_.emplace_back();
  return along_[num_along_++];
}

/// -1 or 1, or 0 where that cannot be told yet.
int TriggerSearch::side(const Watch& watch, double g) { return watch.leaving && std::abs(g) <= watch.band ? 0 : sign(g); }

bool TriggerSearch::watched(const Watch& watch, int new_side) {
  if (watch.trigger->direction == Crossing::crosses) return true;
  return (watch.trigger->direction == Crossing::rises) == (new_side > 0);
}

/// The watch has come to g without an event.
void TriggerSearch::settle(Watch& watch, double g) {
  const int now = side(watch, g);
  if (now != 0) watch.side = now, watch.leaving = watch.turned = false;
}

void TriggerSearch::start(State& state) {
  sample(state, now_);
  for (std::size_t w = 0; w < watches_.size(); ++w) {
    Watch& watch = watches_[w];
    watch.side = sign(now_.g[w]);
    watch.turned = false, watch.band = 0;
    watch.leaving = watch.side == 0;
    if (watch.leaving) watch.side = sign(rate_now(watch, state));
  }
}

/// Where the step is looked at, the point reached so far first.
void TriggerSearch::take_samples(const Stepper& stepper, double t0) {
  num_along_ = 0;
  further_sample() = now_;
  const double t1 = stepper.time();
  for (int k = 1; k <= parts_of_step; ++k) {
    const double t = k == parts_of_step ? t1 : t0 + (t1 - t0) * k / parts_of_step;
    if (t > now_.t) sample_at(stepper, t, further_sample());
  }
}

/// More samples where the parabola through three of them comes near zero or beyond, all three being on one side of it.
void TriggerSearch::add_dips(const Stepper& stepper) {
  const std::vector<Sample>& samples = along_;
  dips_.clear();
  for (std::size_t w = 0; w < watches_.size(); ++w) {
    for (std::size_t k = 1; k + 1 < num_along_; ++k) {
      const double a = samples[k - 1].t, b = samples[k].t, c = samples[k + 1].t;
      const double ga = samples[k - 1].g[w], gb = samples[k].g[w], gc = samples[k + 1].g[w];
      const int s = sign(gb);
      if (s == 0 || sign(ga) != s || sign(gc) != s) continue;
      // Newton's form: gb + slope (t - b) + curvature (t - b)(t - a).
      const double slope = (gb - ga) / (b - a), curvature = ((gc - gb) / (c - b) - slope) / (c - a);
      if (!(s * curvature > 0)) continue;
      const double t = 0.5 * (a + b) - 0.5 * slope / curvature;
      const double least = gb + slope * (t - b) + curvature * (t - b) * (t - a);
      constexpr double near = 0.5;  // of the smallest of the three: a parabola is only so good
      if (t > a && t < c && t != b && s * least < near * std::min({s * ga, s * gb, s * gc})) dips_.push_back(t);
    }
  }
  for (const double t : dips_) {
    std::size_t place = 0;
    while (place < num_along_ && along_[place].t < t) ++place;
    if (place == num_along_ || along_[place].t == t) continue;
    sample_at(stepper, t, further_sample());
    const auto last = along_.begin() + std::ptrdiff_t(num_along_) - 1;
    std::rotate(along_.begin() + std::ptrdiff_t(place), last, last + 1);
  }
}

/// Whether the watch crosses between two samples, and between which times.
bool TriggerSearch::find_crossing(int w, const Stepper& stepper, const Sample& a, const Sample& b, Bracket& bracket) {
  const Watch& watch = watches_[std::size_t(w)];
  const double g_a = a.g[std::size_t(w)], g_b = b.g[std::size_t(w)];
  const int new_side = side(watch, g_b);
  if (new_side == 0 || watch.side == 0 || new_side == watch.side || !watched(watch, new_side)) return false;
  if (!watch.leaving) {
    bracket = close_in(w, stepper, a.t, g_a, b.t, g_b);
    return true;
  }
  // It should have left zero for the one side, and is on the other: it has been there and back since, or never got there.
  double t = b.t;
  for (int halvings = 0; halvings < 50; ++halvings) {
    t = a.t + 0.5 * (t - a.t);
    if (!(t > a.t)) break;
    const double g = value_at(watch, stepper, t);
    if (side(watch, g) != watch.side) continue;
    bracket = close_in(w, stepper, t, g, b.t, g_b);
    return true;
  }
  if (watch.turned)
    throw EventFailure(
        a.t,
        fmt::format(
            "t = {:.9g} s: event \"{}\" follows itself without end: its handler sends the witness back, which can no longer "
            "leave "
            "zero before it crosses again, as with a ball that comes to rest. Stop the run then, or hold the motion there by a "
            "constraint or a lock",
            a.t, events_[std::size_t(watch.event)].name));
  return false;
}

TriggerSearch::Bracket TriggerSearch::close_in(int w, const Stepper& stepper, double a, double g_a, double b, double g_b) {
  const Watch& watch = watches_[std::size_t(w)];
  const double wanted = window(watch, b);
  const int new_side = sign(g_b);
  double checked_width = b - a;
  for (int i = 1; b - a > wanted; ++i) {
    double t = b - g_b * (b - a) / (g_b - g_a);  // Illinois: the end that stays twice has its value halved below
    if (i % 3 == 0) {                            // three secants must halve the interval, or it is halved
      if (b - a > 0.5 * checked_width) t = 0.5 * (a + b);
      checked_width = b - a;
    }
    // Just beyond the crossing, so that the next value closes the other side.
    if (!(t >= a + 0.5 * wanted)) t = a + 0.5 * wanted;
    if (!(t <= b - 0.5 * wanted)) t = b - 0.5 * wanted;
    if (!(t > a && t < b)) break;  // times cannot be told apart any further
    const double g = value_at(watch, stepper, t);
    if (sign(g) == new_side) {
      b = t, g_b = g, g_a *= 0.5;
    } else {
      a = t, g_a = g, g_b *= 0.5;
    }
  }
  return {w, a, b};
}

/// The first of the crossings, with those whose windows reach into its own.
void TriggerSearch::cross(const Stepper& stepper, double t0) {
  std::sort(brackets_.begin(), brackets_.end(), [](const Bracket& x, const Bracket& y) { return x.after < y.after; });
  Crossed& found = crossed_;
  found.t = brackets_.front().after;
  found.events.clear();
  has_crossed_.assign(watches_.size(), 0);
  const double first = found.t;
  for (const Bracket& bracket : brackets_) {
    if (bracket.before > first) continue;
    found.t = std::max(found.t, bracket.after);
    has_crossed_[std::size_t(bracket.watch)] = 1;
  }
  sample_at(stepper, found.t, now_);
  here_ = scratch_;
  for (std::size_t w = 0; w < watches_.size(); ++w) {
    Watch& watch = watches_[w];
    if (!has_crossed_[w]) {
      settle(watch, now_.g[w]);
      continue;
    }
    const double rate = rate_now(watch, here_);
    if (rate * watch.side > 0) {
      // It moves back to where it came from: what crossed is the noise of the interpolation, not the witness.
      watch.leaving = watch.turned = true;
      watch.band = 4 * std::abs(rate) * window(watch, found.t);
      continue;
    }
    found.events.push_back(watch.event);
    watch.side = -watch.side;
    watch.leaving = watch.turned = false;
    watch.rate = std::abs(rate);
    if (watch.trigger->stage <= Stage::position) continue;
    // Over a time that is long enough for the values to differ, and short beside the step.
    const double back = std::max(t0, found.t - std::max(16 * window(watch, found.t), 1e-5 * (stepper.time() - t0)));
    watch.rate = found.t > back ? std::abs(now_.g[w] - value_at(watch, stepper, back)) / (found.t - back) : 0;
  }
}

const TriggerSearch::Crossed& TriggerSearch::next(const Stepper& stepper, double t0, const State& of_run) {
  crossed_.events.clear();
  if (watches_.empty() || now_.t >= stepper.time()) return crossed_;
  scratch_ = of_run;
  take_samples(stepper, t0);
  add_dips(stepper);
  for (std::size_t k = 1; k < num_along_; ++k) {
    brackets_.clear();
    for (std::size_t w = 0; w < watches_.size(); ++w)
      if (Bracket bracket{}; find_crossing(int(w), stepper, along_[k - 1], along_[k], bracket)) brackets_.push_back(bracket);
    if (!brackets_.empty()) {
      cross(stepper, t0);
      return crossed_.events.empty() ? next(stepper, t0, of_run) : crossed_;
    }
    for (std::size_t w = 0; w < watches_.size(); ++w) settle(watches_[w], along_[k].g[w]);
    now_ = along_[k];
  }
  return crossed_;
}

void TriggerSearch::remember(Memory& memory) {
  for (Watch& watch : watches_) memory(watch.side, watch.leaving, watch.turned, watch.band, watch.rate);
  memory(now_.t, now_.g);
}

double TriggerSearch::rate_now(const Watch& watch, const State& state) {
  if (watch.trigger->stage > Stage::position) return 0;
  constexpr double moment = 1e-6;  // [s]; differences of values of order one are then good to ten digits
  move_on(state, moment, moved_q_, later_);
  const double after = value(watch, later_);
  later_ = state;
  return (after - value(watch, later_)) / moment;
}

/// From zero, or near it, after its own event.
void TriggerSearch::leave(Watch& watch, double g, State& state) {
  constexpr double none = 1e-6;  // of the rate at which it came: a witness that slow is held
  watch.band = 4 * watch.rate * window(watch, state.time());
  if (std::abs(g) > watch.band) {
    watch.side = sign(g);  // the handler has moved it, or a jump brought it here
    watch.leaving = watch.turned = false;
    return;
  }
  const int came_to = watch.side;
  const double rate = rate_now(watch, state);
  watch.leaving = true;
  watch.side = std::abs(rate) > none * watch.rate ? sign(rate) : 0;
  watch.turned = watch.side == -came_to;
  // What holds it there, such as a constraint, does so to the accuracy only.
  if (watch.side == 0 && watch.trigger->stage <= Stage::position) watch.band = std::max(watch.band, 10 * accuracy_);
}

void TriggerSearch::resume(State& state, const std::vector<int>& handled, std::vector<int>& triggered) {
  sample(state, now_);
  const Sample& after = now_;
  triggered.clear();
  for (std::size_t w = 0; w < watches_.size(); ++w) {
    Watch& watch = watches_[w];
    if (std::find(handled.begin(), handled.end(), watch.event) != handled.end()) {
      leave(watch, after.g[w], state);
      continue;
    }
    const int before = watch.side, now = side(watch, after.g[w]);
    settle(watch, after.g[w]);
    if (now == 0 || before == 0 || now == before || !watched(watch, now)) continue;
    triggered.push_back(watch.event);
    watch.rate = 0;  // it jumped
  }
}

}  // namespace polhode::study
