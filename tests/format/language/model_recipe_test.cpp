#include "polhode/format/language/model_recipe.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "polhode/format/language/varied_model.h"
#include "polhode/format/language/writer.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"
#include "tests/support/paths.h"

namespace polhode::format {
namespace {

/// Every model of the corpus that declares parameters.
std::vector<std::string> parametric_models() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(testing_support::models_folder())) {
    if (entry.path().extension() != ".pol") continue;
    if (model_text(entry.path()).find("(parameter ") != std::string::npos) names.push_back(entry.path().string());
  }
  return names;
}

ParameterValues scaled(const std::vector<Parameter>& parameters, double factor) {
  ParameterValues values;
  for (const Parameter& p : parameters) values.emplace_back(p.name, factor * p.value);
  return values;
}

/// What a model says when it is printed, with every digit; or what is wrong with it.
template <class Read>
std::string printed(const Read& read) {
  try {
    return write_model(read().description());
  } catch (const ModelFileError& error) {
    return error.what();
  }
}

// Printed numbers have all digits that it takes to read them back the same.
TEST(ModelRecipe, BuildsWhatReadingTheTextAnewBuilds) {
  int models = 0;
  for (const std::string& file : parametric_models()) {
    SCOPED_TRACE(file);
    const std::string text = model_text(file), folder = std::filesystem::path(file).parent_path().string();
    ModelRecipe recipe(text, file, folder);
    const Model base = recipe.read_and_keep_files({});
    for (const double factor : {1.0, 1.25, -1.0, 0.75, 0.0}) {  // some of these are no models
      const ParameterValues values = scaled(base.parameters, factor);
      EXPECT_EQ(printed([&] { return recipe.build(values); }),
                printed([&] { return read_model(text, file, folder, values).mechanism; }))
          << factor;
    }
    ++models;
  }
  EXPECT_GE(models, 1);
}

TEST(ModelRecipe, RunsToTheSameBits) {
  const std::string file = testing_support::model_path("pendulum_parameters");
  const VariedModel varied(file, {"length", "friction"});
  const auto end = [](const State& start) {
    std::vector<double> reported;
    study::simulate(start, {.time = 1}, [&](const State& s) { reported.push_back(s.q()[0]); });
    return reported;
  };
  for (const double length : {0.7, 1.1, 1.9}) {
    const std::vector<double> values{length, 0.02};
    const Model anew = load_model(file, {{"length", length}, {"friction", 0.02}});
    EXPECT_EQ(end(varied.start(values)), end(tree::initial_state(anew.mechanism)));
  }
}

TEST(ModelRecipe, IsNotNeededWhereOnlyTheStartVaries) {
  const std::string file = testing_support::model_path("pendulum_parameters");
  const VariedModel varied(file, {"pin", "pin'"}, {{"length", 0.8}});
  const std::vector<double> values{0.3, -0.7};
  EXPECT_EQ(write_model(varied.start(values).mechanism().description()),
            write_model(varied.model(values).mechanism.description()));
  EXPECT_EQ(varied.start(values).q()[0], 0.3);
  EXPECT_EQ(varied.start(values).u()[0], -0.7);
}

TEST(ModelRecipe, ReadsOtherFilesOnceOnly) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "polhode_recipe_test";
  std::filesystem::create_directory(folder);
  const auto table = folder / "angle.csv";
  std::ofstream(table) << "t,angle\n0,0\n1,0.5\n2,1\n";
  const std::string text = R"((system (parameter m 1) (ry "a" (tz -1 (mass m))) (kinematic "a" (file "angle.csv" "angle"))))";
  ModelRecipe recipe(text, "p.pol", folder.string());
  const Model base = recipe.read_and_keep_files({});
  std::filesystem::remove_all(folder);
  EXPECT_EQ(recipe.build({{"m", 2}}).description().bodies()[0].mass.mass, 2);
  ASSERT_EQ(recipe.read({{"m", 2}}).files.size(), 1u);
  EXPECT_EQ(recipe.read({{"m", 2}}).files[0].text, base.files[0].text);
}

TEST(ModelRecipe, ServesSeveralThreadsAtOnce) {
  const ModelRecipe recipe(R"((system (parameter l 1) (ry "a" (tz (- l) (mass (* l l))))))", "p.pol", std::nullopt);
  std::vector<std::thread> threads;
  std::vector<double> masses(4);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < 100; ++k) masses[std::size_t(i)] = recipe.build({{"l", 1.0 + i}}).whole_mass(1);
    });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(masses[std::size_t(i)], (1.0 + i) * (1.0 + i));
}

TEST(ModelRecipe, PointsAtTheSamePlacesWhenValuesMakeNoModel) {
  const std::string text = "(system (parameter m 1)\n  (ry \"a\" (tz -1 (mass m))))";
  const ModelRecipe recipe(text, "p.pol", std::nullopt);
  const std::string said = printed([&] { return recipe.build({{"m", -1}}); });
  EXPECT_NE(said.find("p.pol:2:"), std::string::npos) << said;
  EXPECT_EQ(said, printed([&] { return read_model(text, "p.pol", {}, {{"m", -1}}).mechanism; }));
}

}  // namespace
}  // namespace polhode::format
