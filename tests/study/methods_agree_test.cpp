// The two methods share nothing but the mechanism: on every model of the corpus that both can run they must find the same
// motion.
#include <filesystem>
#include <map>

#include "polhode/mechanism/problem.h"
#include "tests/study/validation.h"

namespace polhode::study {
namespace {

/// How long, and with which step: some of the fastest period, so that tree-variational is in the range where its order shows.
/// The links of four_bar_chain overlap at 0.36 s, where no accuracy of 1e-11 can be had.
struct Pace {
  double time = 0.4, step = 0.004;
};
const std::map<std::string, Pace> paces{
    {"andrews", {0.004, 2e-5}},    {"heavy_top", {0.02, 1e-4}},     {"gyroscope", {0.01, 5e-5}},
    {"governor", {0.01, 2e-5}},    {"precessing_top", {0.1, 5e-4}}, {"dzhanibekov", {0.4, 2e-3}},
    {"slider_crank", {0.2, 5e-4}}, {"four_bar", {0.2, 1e-3}},       {"spatial_slider_crank", {0.4, 1e-3}},
    {"scissor_lift", {0.4, 1e-3}}, {"four_bar_chain", {0.3, 3e-3}},
};

/// Where all bodies are and how they are turned: free of the sign that a quaternion may have.
std::vector<double> poses(const State& state) {
  std::vector<double> all;
  for (int b = 1; b < state.mechanism().num_bodies(); ++b) {
    const Transform<double>& X = state.pose(b);
    for (const Vec3<double>& v : {X.R.col[0], X.R.col[1], X.R.col[2], X.p}) all.insert(all.end(), {v.x, v.y, v.z});
  }
  return all;
}
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

/// False where a method refuses the model, by naming what it cannot do.
bool takes(const State& start, const SimulateOptions& options) {
  try {
    make_stepper(start.mechanism(), options);
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

void expect_agreement(const State& start, const Pace& pace) {
  const auto end = [&](const SimulateOptions& options) { return poses(run(start, options).end); };
  const auto reference = end(projected(pace.time, 1e-11));
  const auto coarse = end(variational(pace.time, pace.step, 4)), fine = end(variational(pace.time, pace.step / 2, 4));
  // Errors fall by sixteen when the step is halved, so the finer run's is a fifteenth of the change; by eight at least counts
  // as order four in steps that are not yet small. Local errors of 1e-11 and Newton's 1e-12 in some hundred steps are a floor
  // of 1e-8.
  const double estimated = distance(coarse, fine) / 7, floor = 1e-8;
  EXPECT_LT(distance(fine, reference), estimated + floor);
  EXPECT_LT(distance(fine, reference), distance(coarse, reference) / 8 + floor);
  EXPECT_LT(distance(fine, reference), 1e-4);  // and close, whatever the estimate
}

TEST(Methods, AgreeOnEveryModelThatBothCanRun) {
  int models = 0, both = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(POLHODE_SOURCE_DIR) + "/models")) {
    if (entry.path().extension() != ".pol") continue;
    const std::string name = entry.path().stem();
    SCOPED_TRACE(name);
    ++models;
    const State start = start_of(load(name));
    const Pace pace = paces.contains(name) ? paces.at(name) : Pace{};
    EXPECT_TRUE(takes(start, projected(1, 1e-6)));
    if (!takes(start, variational(1, 0.01))) continue;
    ++both;
    expect_agreement(start, pace);
    if (sanitized && both == 5) break;
  }
  EXPECT_GE(both, sanitized ? 5 : models - 3);  // the rolling ones are refused by tree-variational
}

}  // namespace
}  // namespace polhode::study
