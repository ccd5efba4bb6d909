#pragma once
#include <filesystem>
#include <map>

#include "polhode/mechanism/problem.h"
#include "tests/study/validation.h"
#include "tests/support/paths.h"

/// A short motion of every model of the corpus.
namespace polhode::study {

/// How long, and with which step: some of the fastest period, so that tree-variational is in the range where its order shows.
/// The links of four_bar_chain overlap at 0.36 s, where no accuracy of 1e-11 can be had.
struct Pace {
  double time = 0.4, step = 0.004;
};
inline const std::map<std::string, Pace> paces{
    {"andrews", {0.004, 2e-5}},    {"heavy_top", {0.02, 1e-4}},     {"gyroscope", {0.01, 5e-5}},
    {"governor", {0.01, 2e-5}},    {"precessing_top", {0.1, 5e-4}}, {"dzhanibekov", {0.4, 2e-3}},
    {"slider_crank", {0.2, 5e-4}}, {"four_bar", {0.2, 1e-3}},       {"spatial_slider_crank", {0.4, 1e-3}},
    {"scissor_lift", {0.4, 1e-3}}, {"four_bar_chain", {0.3, 3e-3}}, {"engine", {0.02, 5e-5}},
};

/// Where all bodies are and how they are turned: free of the sign that a quaternion may have.
inline std::vector<double> poses(const State& state) {
  std::vector<double> all;
  for (int b = 1; b < state.mechanism().num_bodies(); ++b) {
    const Transform<double>& X = state.pose(b);
    for (const Vec3<double>& v : {X.R.col[0], X.R.col[1], X.R.col[2], X.p}) all.insert(all.end(), {v.x, v.y, v.z});
  }
  return all;
}
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// False where a method refuses the model, by naming what it cannot do.
inline bool takes(const State& start, const SimulateOptions& options) {
  try {
    make_stepper(start.mechanism(), options);
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

/// Calls check(start, pace) for every model that the method takes; gives the number of those that it refuses.
template <class Check>
int for_every_model(const SimulateOptions& taken, const Check& check) {
  int models = 0, refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(testing_support::models_folder())) {
    if (entry.path().extension() != ".pol") continue;
    const std::string name = entry.path().stem();
    SCOPED_TRACE(name);
    const State start = start_of(load(name));
    EXPECT_TRUE(takes(start, projected(1, 1e-6)));
    if (!takes(start, taken)) {
      ++refused;
      continue;
    }
    check(start, paces.contains(name) ? paces.at(name) : Pace{});
    if (sanitized && ++models == 5) break;
  }
  return refused;
}

}  // namespace polhode::study
