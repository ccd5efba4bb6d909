#include "polhode/mechanism/orientation_signal.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace polhode {
namespace {

using Number = Dual<Dual<double>>;

/// A signal's value with its first two derivatives by time.
Number lifted(const Signal& signal, double t) {
  const Signal::Sample s = signal.at(t);
  return {{s.value, s.rate}, {s.rate, s.acceleration}};
}

Quaternion<Number> turn_about(const Vec3<double>& axis, const Number& angle) {
  const SinCos<Number> half = sin_cos(Number(0.5) * angle);
  return {half.c, Number(axis.x) * half.s, Number(axis.y) * half.s, Number(axis.z) * half.s};
}

Quaternion<Number> evaluate(const OrientationSignal::RollPitchYaw& form, double t) {
  return turn_about(z_axis, lifted(form.angles[2], t)) * turn_about(y_axis, lifted(form.angles[1], t)) *
         turn_about(x_axis, lifted(form.angles[0], t));
}
Quaternion<Number> evaluate(const OrientationSignal::AboutAxis& form, double t) {
  return turn_about(form.axis, lifted(form.angle, t));
}
Quaternion<Number> evaluate(const OrientationSignal::Samples& form, double t) {
  return normalized(Quaternion<Number>{lifted(form.parts[0], t), lifted(form.parts[1], t), lifted(form.parts[2], t),
                                       lifted(form.parts[3], t)});
}

void require_finite(double number, const char* what) {
  if (!std::isfinite(number))
    throw std::invalid_argument(fmt::format("orientation: {} must be a finite number, not {}", what, number));
}

}  // namespace

OrientationSignal OrientationSignal::roll_pitch_yaw(Signal roll, Signal pitch, Signal yaw) {
  return OrientationSignal(RollPitchYaw{{std::move(roll), std::move(pitch), std::move(yaw)}});
}

OrientationSignal OrientationSignal::about(const Vec3<double>& axis, Signal angle) {
  const double length = norm(axis);
  require_finite(length, "an axis");
  if (length == 0) throw std::invalid_argument("orientation: an axis of zeros has no direction; give (0 0 1), for example");
  return OrientationSignal(AboutAxis{(1 / length) * axis, std::move(angle)});
}

OrientationSignal OrientationSignal::samples(std::vector<double> times, std::vector<Quaternion<double>> values) {
  if (times.size() != values.size())
    throw std::invalid_argument(fmt::format("orientation: {} times and {} orientations", times.size(), values.size()));
  std::vector<double> parts[4];
  Quaternion<double> last{};
  for (const Quaternion<double>& given : values) {
    const double size = norm_squared(given);
    require_finite(size, "a quaternion's length");
    if (!(size > 0)) throw std::invalid_argument("orientation: a quaternion of zeros has no direction");
    Quaternion<double> a = normalized(given);
    if (a.w * last.w + a.x * last.x + a.y * last.y + a.z * last.z < 0) a = {-a.w, -a.x, -a.y, -a.z};
    const double numbers[] = {a.w, a.x, a.y, a.z};
    for (int i = 0; i < 4; ++i) parts[i].push_back(numbers[i]);
    last = a;
  }
  std::vector<Signal> signals;
  for (auto& part : parts) signals.push_back(Signal::samples(times, std::move(part)));
  return OrientationSignal(Samples{std::move(times), std::move(values), std::move(signals)});
}

/// dq/dt = (0, w) q / 2, and the vector part of its derivative times the conjugate: w = 2 q' q*, dw/dt = 2 q'' q*.
OrientationSignal::Sample OrientationSignal::at(double t) const {
  const Quaternion<Number> a = std::visit([&](const auto& form) { return evaluate(form, t); }, *form_);
  const Quaternion<double> q{a.w.value.value, a.x.value.value, a.y.value.value, a.z.value.value},
      q_dot{a.w.value.slope, a.x.value.slope, a.y.value.slope, a.z.value.slope},
      q_ddot{a.w.slope.slope, a.x.slope.slope, a.y.slope.slope, a.z.slope.slope};
  return {q, 2.0 * (q_dot * conjugate(q)).vector(), 2.0 * (q_ddot * conjugate(q)).vector()};
}

void OrientationSignal::add_breaks(std::vector<double>& times) const {
  if (const auto* rpy = std::get_if<RollPitchYaw>(form_.get()))
    for (const Signal& angle : rpy->angles) angle.add_breaks(times);
  if (const auto* about = std::get_if<AboutAxis>(form_.get())) about->angle.add_breaks(times);
  if (const auto* samples = std::get_if<Samples>(form_.get())) samples->parts[0].add_breaks(times);
}

Signal OrientationSignal::speed(int k) const {
  return Signal::function([orientation = *this, k](double t) {
    const Sample s = orientation.at(t);
    return Signal::Sample{0, s.w[std::size_t(k)], s.w_dot[std::size_t(k)]};
  });
}

}  // namespace polhode
