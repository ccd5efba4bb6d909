#pragma once
#include <random>
#include <vector>

#include "polhode/spatial/exponential.h"

namespace polhode::testing_support {

/// Random numbers that are the same with every standard library: its distributions are not.
class Random {
 public:
  explicit Random(unsigned seed) : bits_(seed) {}

  double uniform(double low, double high) { return low + (high - low) * (double(bits_() >> 11) * 0x1p-53); }
  int index(int size) { return int(bits_() % std::uint64_t(size)); }
  bool chance(double probability) { return uniform(0, 1) < probability; }

  std::vector<double> vector(int size, double magnitude) {
    std::vector<double> v(size);
    for (double& x : v) x = uniform(-magnitude, magnitude);
    return v;
  }
  Vec3<double> vec3(double magnitude) {
    const double x = uniform(-magnitude, magnitude), y = uniform(-magnitude, magnitude);
    return {x, y, uniform(-magnitude, magnitude)};
  }
  Mat3<double> rotation() { return polhode::rotation(exp_rotation(vec3(1.8))); }
  Transform<double> transform(double reach) {
    const Mat3<double> R = rotation();
    return {R, vec3(reach)};
  }
  Wrench<double> wrench(double magnitude) {
    const Vec3<double> moment = vec3(magnitude);
    return {moment, vec3(magnitude)};
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace polhode::testing_support
