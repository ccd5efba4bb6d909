#include "polhode/mechanism/signal_integral.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace polhode {
namespace {

struct GaussPoint {
  double at, weight;  // on [0, 1]
};
constexpr std::array<GaussPoint, 5> gauss{{{0.046910077030668004, 0.11846344252809454},
                                           {0.23076534494715845, 0.23931433524968324},
                                           {0.5, 0.28444444444444444},
                                           {0.7692346550528415, 0.23931433524968324},
                                           {0.953089922969332, 0.11846344252809454}}};
constexpr int most_pieces = 128;  // of a product of fast sines

/// The fastest that sines in the signal turn [rad/s].
double frequency(const Signal& signal) {
  if (const auto* wave = std::get_if<Signal::Wave>(&signal.form())) return std::abs(wave->sinusoid.frequency());
  double all = 0;
  if (const auto* sum = std::get_if<Signal::Sum>(&signal.form()))
    for (const Signal& term : sum->terms) all = std::max(all, frequency(term));
  if (const auto* product = std::get_if<Signal::Product>(&signal.form()))
    for (const Signal& factor : product->factors) all += frequency(factor);
  return all;
}

/// The first knot after t on the way to `end`, or `end`: between two of them the signal is smooth.
double next_knot(const Signal& signal, double t, double end) {
  const auto nearest = [&](const std::vector<Signal>& parts) {
    double knot = end;
    for (const Signal& part : parts) knot = next_knot(part, t, knot);
    return knot;
  };
  if (const auto* sum = std::get_if<Signal::Sum>(&signal.form())) return nearest(sum->terms);
  if (const auto* product = std::get_if<Signal::Product>(&signal.form())) return nearest(product->factors);
  const auto* samples = std::get_if<Signal::Samples>(&signal.form());
  if (samples == nullptr) return end;
  const std::vector<double>& times = samples->times;
  if (end > t) {
    const auto after = std::upper_bound(times.begin(), times.end(), t);
    return after == times.end() ? end : std::min(*after, end);
  }
  const auto from = std::lower_bound(times.begin(), times.end(), t);
  return from == times.begin() ? end : std::max(*std::prev(from), end);
}

/// Of a smooth piece from x to y, and on to b.
void add_piece(const Signal& signal, double x, double y, double b, SignalIntegrals& sum) {
  const double length = y - x;
  for (const auto& [at, weight] : gauss) {
    const double t = x + at * length, part = weight * length * signal.value(t);
    sum.first += part;
    sum.second += (b - t) * part;
  }
}

SignalIntegrals by_pieces(const Signal& signal, double a, double b) {
  const double turn = frequency(signal);
  SignalIntegrals sum;
  for (double x = a; x != b;) {
    const double end = next_knot(signal, x, b);
    const int pieces = int(std::clamp(std::ceil(2 * turn * std::abs(end - x)), 1.0, double(most_pieces)));
    for (int i = 0; i < pieces; ++i) add_piece(signal, x + (end - x) * i / pieces, x + (end - x) * (i + 1) / pieces, b, sum);
    x = end;
  }
  return sum;
}

SignalIntegrals of_fast_wave(const Signal::Wave& wave, double a, double b) {
  const double A = wave.sinusoid.amplitude(), w = wave.sinusoid.frequency(), phase = wave.sinusoid.phase(), length = b - a;
  const double at_a = w * a + phase, at_b = w * b + phase;
  return {
      A * (std::cos(at_a) - std::cos(at_b)) / w + wave.offset * length,
      A * (length * std::cos(at_a) / w - (std::sin(at_b) - std::sin(at_a)) / (w * w)) + 0.5 * wave.offset * length * length};
}

}  // namespace

SignalIntegrals integrals(const Signal& signal, double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return {a - b, a - b};  // not a number, rather than for ever
  if (const auto* sum = std::get_if<Signal::Sum>(&signal.form())) {
    SignalIntegrals all;
    for (const Signal& term : sum->terms) {
      const SignalIntegrals one = integrals(term, a, b);
      all.first += one.first;
      all.second += one.second;
    }
    return all;
  }
  const auto* wave = std::get_if<Signal::Wave>(&signal.form());
  if (wave != nullptr && std::abs(wave->sinusoid.frequency() * (b - a)) > 1) return of_fast_wave(*wave, a, b);
  return by_pieces(signal, a, b);
}

}  // namespace polhode
