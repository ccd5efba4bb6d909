#include "polhode/mechanism/signal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace polhode {
namespace {

using Sample = Signal::Sample;

void require_finite(double number, const char* what) {
  if (!std::isfinite(number))
    throw std::invalid_argument(fmt::format("signal: {} must be a finite number, not {}", what, number));
}

/// Any smooth function of one number, at one place.
Sample evaluate(const FunctionOfOne& f, double t) {
  return {f.derivative_of_order(0, t), f.derivative_of_order(1, t), f.derivative_of_order(2, t)};
}

Sample evaluate(const Signal::Wave& wave, double t) {
  Sample y = evaluate(wave.sinusoid, t);
  y.value += wave.offset;
  return y;
}

Sample evaluate(const Signal::Samples& s, double t) {
  if (t < s.times.front()) return {s.values.front(), 0, 0};
  if (t > s.times.back() || s.times.size() == 1) return {s.values.back(), 0, 0};
  if (s.spline) return evaluate(*s.spline, t);
  const std::size_t after = std::size_t(std::upper_bound(s.times.begin(), s.times.end(), t) - s.times.begin());
  if (s.joining == Signal::Joining::hold) return {s.values[after - 1], 0, 0};
  const std::size_t i = std::min(after, s.times.size() - 1) - 1;
  const double rate = (s.values[i + 1] - s.values[i]) / (s.times[i + 1] - s.times[i]);
  return {s.values[i] + rate * (t - s.times[i]), rate, 0};
}

Sample evaluate(const Signal::Sum& sum, double t) {
  Sample y;
  for (const Signal& term : sum.terms) {
    const Sample a = term.at(t);
    y = {y.value + a.value, y.rate + a.rate, y.acceleration + a.acceleration};
  }
  return y;
}

Sample evaluate(const Signal::Product& product, double t) {
  Sample y{1, 0, 0};
  for (const Signal& factor : product.factors) {
    const Sample a = factor.at(t);
    y = {y.value * a.value, y.rate * a.value + y.value * a.rate,
         y.acceleration * a.value + 2 * y.rate * a.rate + y.value * a.acceleration};
  }
  return y;
}

Sample evaluate(const Signal::Function& f, double t) { return f(t); }

bool never_changes(const Polynomial& p) {
  return std::all_of(p.coefficients().begin() + 1, p.coefficients().end(), [](double c) { return c == 0; });
}
bool never_changes(const Signal::Wave& w) { return w.sinusoid.amplitude() == 0 || w.sinusoid.frequency() == 0; }
bool never_changes(const Signal::Samples& s) {
  const bool at_rest = s.joining != Signal::Joining::clamped || (s.first_rate == 0 && s.last_rate == 0);
  return at_rest && std::all_of(s.values.begin(), s.values.end(), [&](double y) { return y == s.values.front(); });
}
bool all_constant(const std::vector<Signal>& parts) {
  return std::all_of(parts.begin(), parts.end(), [](const Signal& part) { return part.is_constant(); });
}
bool never_changes(const Signal::Sum& sum) { return all_constant(sum.terms); }
bool never_changes(const Signal::Product& product) { return all_constant(product.factors); }
bool never_changes(const Signal::Function&) { return false; }

template <class Smooth>
bool jumps_somewhere(const Smooth&) {
  return false;
}
bool jumps_somewhere(const Signal::Samples& s) { return s.joining == Signal::Joining::hold && !never_changes(s); }
bool any_jumps(const std::vector<Signal>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const Signal& part) { return part.jumps(); });
}
bool jumps_somewhere(const Signal::Sum& sum) { return any_jumps(sum.terms); }
bool jumps_somewhere(const Signal::Product& product) { return any_jumps(product.factors); }

template <class Smooth>
void add_breaks_of(const Smooth&, std::vector<double>&) {}
void add_breaks_of(const Signal::Samples& samples, std::vector<double>& times) {
  if (samples.joining == Signal::Joining::linear || samples.joining == Signal::Joining::hold) {
    times.insert(times.end(), samples.times.begin(), samples.times.end());
  } else {
    times.insert(times.end(), {samples.times.front(), samples.times.back()});
  }
}
void add_breaks_of(const Signal::Sum& sum, std::vector<double>& times) {
  for (const Signal& term : sum.terms) term.add_breaks(times);
}
void add_breaks_of(const Signal::Product& product, std::vector<double>& times) {
  for (const Signal& factor : product.factors) factor.add_breaks(times);
}

}  // namespace

Signal Signal::polynomial(std::vector<double> coefficients) {
  if (coefficients.empty()) throw std::invalid_argument("signal: a polynomial needs at least one coefficient");
  for (const double c : coefficients) require_finite(c, "a polynomial's coefficient");
  return Signal(Polynomial(std::move(coefficients)));
}

Signal Signal::sine(double amplitude, double frequency, double phase, double offset) {
  require_finite(amplitude, "a sine's amplitude");
  require_finite(frequency, "a sine's frequency");
  require_finite(phase, "a sine's phase");
  require_finite(offset, "a sine's offset");
  return Signal(Wave{Sinusoid(amplitude, frequency, phase), offset});
}

Signal Signal::samples(std::vector<double> times, std::vector<double> values, Joining joining, double first_rate,
                       double last_rate) {
  if (times.empty() || times.size() != values.size())
    throw std::invalid_argument(
        fmt::format("signal: {} times and {} values; give at least one, as many of each", times.size(), values.size()));
  for (std::size_t i = 0; i < times.size(); ++i) {
    require_finite(times[i], "a sample's time");
    require_finite(values[i], "a sample's value");
    if (i > 0 && !(times[i - 1] < times[i]))
      throw std::invalid_argument(
          fmt::format("signal: times must increase, but time {} = {} follows {}", i + 1, times[i], times[i - 1]));
  }
  const bool clamped = joining == Joining::clamped;
  if (clamped) require_finite(first_rate, "a spline's first rate"), require_finite(last_rate, "a spline's last rate");
  Samples made{std::move(times), std::move(values), joining, clamped ? first_rate : 0, clamped ? last_rate : 0};
  if ((joining == Joining::natural || clamped) && made.times.size() > 1) {
    std::optional<CubicSpline::EndSlopes> slopes;
    if (clamped) slopes = CubicSpline::EndSlopes{first_rate, last_rate};
    made.spline.emplace(made.times, made.values, slopes);
  }
  return Signal(std::move(made));
}

Signal Signal::sum(std::vector<Signal> terms) {
  if (terms.empty()) throw std::invalid_argument("signal: a sum needs at least one term");
  return Signal(Sum{std::move(terms)});
}

Signal Signal::product(std::vector<Signal> factors) {
  if (factors.empty()) throw std::invalid_argument("signal: a product needs at least one factor");
  return Signal(Product{std::move(factors)});
}

Signal Signal::function(Function f) {
  if (!f) throw std::invalid_argument("signal: the function is empty");
  return Signal(Form(std::move(f)));
}

Signal::Sample Signal::at(double t) const {
  return std::visit([&](const auto& form) { return evaluate(form, t); }, *form_);
}

bool Signal::is_constant() const {
  return std::visit([](const auto& form) { return never_changes(form); }, *form_);
}

bool Signal::jumps() const {
  return std::visit([](const auto& form) { return jumps_somewhere(form); }, *form_);
}

void Signal::add_breaks(std::vector<double>& times) const {
  std::visit([&](const auto& form) { add_breaks_of(form, times); }, *form_);
}

}  // namespace polhode
