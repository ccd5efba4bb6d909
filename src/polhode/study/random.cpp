#include "polhode/study/random.h"

#include <bit>
#include <cmath>
#include <numeric>
#include <utility>

namespace polhode::study {
namespace {

/// FNV-1a.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xCBF29CE484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return h;
}

/// The middles of 2^52 equal parts of the unit interval: exact doubles, never 0 or 1.
double unit(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t(high) << 32 | low) >> 12;
  return (double(bits) + 0.5) * 0x1p-52;
}

/// Natural logarithm of a positive normal number, from the four operations alone, so that samples do not depend on a
/// library's last digit: x = m 2^e with m near 1, and log m = 2 artanh((m - 1)/(m + 1)).
double logarithm(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  int e = int(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFFu) | 0x3FF0000000000000u);
  if (m > 1.4142135623730951) m *= 0.5, ++e;
  const double s = (m - 1) / (m + 1), s2 = s * s;  // s2 < 0.0295: the terms left out are below 1e-19
  double series = 0;
  for (int k = 23; k >= 1; k -= 2) series = series * s2 + 1.0 / k;
  return 2 * s * series + e * 0.6931471805599453;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t(0xD2511F53u) * c[0], b = std::uint64_t(0xCD9E8D57u) * c[2];
    c = {std::uint32_t(b >> 32) ^ c[1] ^ key[0], std::uint32_t(b), std::uint32_t(a >> 32) ^ c[3] ^ key[1], std::uint32_t(a)};
    key[0] += 0x9E3779B9u, key[1] += 0xBB67AE85u;
  }
  return c;
}

RandomStream::RandomStream(std::uint64_t seed, std::string_view variable) : seed_(seed), stream_(hash(variable)) {}

std::array<double, 2> RandomStream::pair(std::uint32_t sample, std::uint32_t attempt) const {
  const auto r = philox({sample, attempt, std::uint32_t(stream_), std::uint32_t(stream_ >> 32)},
                        {std::uint32_t(seed_), std::uint32_t(seed_ >> 32)});
  return {unit(r[0], r[1]), unit(r[2], r[3])};
}

/// Marsaglia's polar method: a point in the unit disk; each attempt lies in it with probability pi/4.
double RandomStream::normal(std::uint32_t sample) const {
  for (std::uint32_t attempt = 0;; ++attempt) {
    const auto [a, b] = pair(sample, attempt);
    const double x = 2 * a - 1, y = 2 * b - 1, s = x * x + y * y;
    if (s < 1 && s > 0) return x * std::sqrt(-2 * logarithm(s) / s);
  }
}

std::vector<std::uint32_t> shuffled(std::uint32_t n, const RandomStream& random) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t i = n; i > 1; --i) std::swap(order[i - 1], order[std::uint32_t(random.uniform(i) * i)]);
  return order;
}

}  // namespace polhode::study
