#include "polhode/study/events.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>

#include "polhode/format/language/model.h"
#include "polhode/mechanism/builder.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

constexpr double g = 9.81;

Mechanism model(const std::string& text) { return format::read_model(text, "test.pol").mechanism; }
State start_of(const std::string& text) { return tree::initial_state(model(text)); }
const std::string pendulum = R"((system (ry "a" (tz -1 (name "tip") (mass 1))) (initial ("a" 1))))";
const std::string ball = R"((system (tz "z" (mass 1)) (initial ("z" 1))))";

EventAction nothing(State&) { return {}; }
Handler scale_speed(double factor) {
  return [=](State& s) {
    s.set_u(0, factor * s.u()[0]);
    return EventAction{};
  };
}
Trigger when_coordinate(int q, Crossing direction, double value) {
  return {[=](const State& s) { return s.q()[std::size_t(q)] - value; }, Stage::time, direction, {}};
}
Trigger when_time(double t) {
  return {[=](const State& s) { return s.time() - t; }, Stage::time, Crossing::rises, {}};
}
std::vector<double> times_of(const SimulateSummary& summary, int event = 0) {
  std::vector<double> times;
  for (const EventRecord& record : summary.event_records)
    if (record.event == event) times.push_back(record.time);
  return times;
}

const std::vector<SimulateOptions> both_methods{{.method = "tree-projected", .options = {{"accuracy", 1e-10}}},
                                                {.method = "tree-variational"}};

/// Dropped from rest at height H: the first bounce at T = sqrt(2 H / g), later ones e^n 2 T apart.
double bounce_time(double height, double e, int n) {
  const double fall = std::sqrt(2 * height / g);
  double t = fall;
  for (int k = 1; k < n; ++k) t += 2 * fall * std::pow(e, k);
  return t;
}

// Both methods are exact on parabolas, so only the window (1e-10 s by default, 1e-14 s for accuracy 1e-10) and round-off count:
// an error dt in one bounce moves the next ones by at most (1 + e) dt, and sixteen bounces add up to less than 32 windows.
TEST(Events, BouncesAsTheClosedFormSays) {
  for (SimulateOptions options : both_methods) {
    options.time = bounce_time(1, 0.7, 16) + 1e-4;
    const auto summary =
        simulate(start_of(ball), options, {}, {}, {{"bounce", when_coordinate(0, Crossing::falls, 0), scale_speed(-0.7)}});
    EXPECT_TRUE(summary.completed) << summary.failure;
    const auto times = times_of(summary);
    ASSERT_EQ(times.size(), 16u) << options.method;
    for (int n = 1; n <= 16; ++n) EXPECT_NEAR(times[std::size_t(n - 1)], bounce_time(1, 0.7, n), 4e-9) << n;
    ASSERT_EQ(summary.event_counts.size(), 1u);
    EXPECT_EQ(summary.event_counts[0].name, "bounce");
    EXPECT_EQ(summary.event_counts[0].count, 16);
    EXPECT_EQ(summary.event_counts[0].first, times.front());
    EXPECT_EQ(summary.event_counts[0].last, times.back());
    // What the impacts took is not the method's error: m g H (e^2n - 1), of speeds that the window makes wrong by 1e-9.
    EXPECT_NEAR(summary.energy_by_events, g * (std::pow(0.7, 32) - 1), 1e-7);
    EXPECT_NEAR(summary.energy_drift(), 0, 1e-7);
  }
}

TEST(Events, OfEitherDirectionDoNotRetriggerWhenTheirHandlerTurnsThemBack) {
  for (SimulateOptions options : both_methods) {
    options.time = bounce_time(1, 0.7, 6) + 1e-4;
    const auto summary =
        simulate(start_of(ball), options, {}, {}, {{"bounce", when_coordinate(0, Crossing::crosses, 0), scale_speed(-0.7)}});
    EXPECT_TRUE(summary.completed) << summary.failure;
    EXPECT_EQ(summary.event_counts[0].count, 6) << options.method;
  }
}

// Half of its speed is left at each bounce, so all of them are over by three times the first fall.
TEST(Events, ThatFollowEachOtherWithoutEndFailInWords) {
  for (SimulateOptions options : both_methods) {
    options.time = 5;
    const auto summary =
        simulate(start_of(ball), options, {}, {}, {{"bounce", when_coordinate(0, Crossing::falls, 0), scale_speed(-0.5)}});
    EXPECT_FALSE(summary.completed) << options.method;
    EXPECT_NE(summary.failure.find("event \"bounce\" follows itself without end"), std::string::npos) << summary.failure;
    EXPECT_NEAR(summary.time_end, 3 * std::sqrt(2 / g), 0.01);
    EXPECT_GT(summary.event_counts[0].count, 20);
  }
}

TEST(Events, ThatTriggerEachOtherForEverAreStopped) {
  const std::string text = R"((system (tz "z" (mass 1)) (discrete "n" -1)
    (event "go" (at 0.25) (set-discrete "n" 1))
    (event "down" (when (discrete "n") rises 0) (set-discrete "n" -1))
    (event "up" (when (discrete "n") falls 0) (set-discrete "n" 1))))";
  const auto summary = simulate(start_of(text), {.time = 1});
  EXPECT_FALSE(summary.completed);
  EXPECT_NE(summary.failure.find("1000 events have happened within"), std::string::npos) << summary.failure;
  EXPECT_EQ(summary.time_end, 0.25);
}

TEST(Events, AreScheduledExactly) {
  for (SimulateOptions options : both_methods) {
    options.time = 2;
    std::vector<double> seen;
    const auto keep = [&](State& s) {
      seen.push_back(s.time());
      return EventAction{};
    };
    const auto summary =
        simulate(start_of(pendulum), options, {}, {},
                 {{"given", AtTimes{{1.7, 0.123456789, 0, 0.123456789, 5}}, keep}, {"period", EveryPeriod{0.3, 0.1}, keep}});
    EXPECT_EQ(times_of(summary, 0), (std::vector<double>{0, 0.123456789, 1.7}));
    EXPECT_EQ(times_of(summary, 1), (std::vector<double>{0.1 + 0 * 0.3, 0.1 + 1 * 0.3, 0.1 + 2 * 0.3, 0.1 + 3 * 0.3,
                                                         0.1 + 4 * 0.3, 0.1 + 5 * 0.3, 0.1 + 6 * 0.3}));
    EXPECT_EQ(seen.size(), 10u);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  }
}

TEST(Events, AtOneTimeHappenInTheOrderOfTheirDeclaration) {
  std::string order;
  const auto say = [&](char c) {
    return [&order, c](State&) {
      order += c;
      return EventAction{};
    };
  };
  simulate(start_of(pendulum), {.time = 1, .dt = 0.25}, {}, {},
           {{"a", EveryStep{}, say('a')},
            {"b", when_time(0.5), say('b')},
            {"c", AtTimes{{0.5}}, say('c')},
            {"d", when_time(0.5), say('d')}});
  // Time 0.5 is crossed just after the step that ends there, by less than the window.
  EXPECT_EQ(order, "aacbdaa");
}

// Crossings of many levels by many witnesses, all on a pendulum's known motion; brute force on a fine grid gives the order.
TEST(Events, OfManyWitnessesComeInTheOrderOfTheMotion) {
  std::mt19937 random(4);
  std::uniform_real_distribution<> level(-0.95, 0.95);
  std::vector<Event> events;
  std::vector<double> levels;
  for (int i = 0; i < 20; ++i) {
    levels.push_back(level(random));
    events.push_back({"level " + std::to_string(i), when_coordinate(0, Crossing(i % 3), levels.back()), nothing});
  }
  std::vector<std::pair<double, int>> expected;
  SimulateOptions fine{.method = "tree-projected", .time = 5, .interval = 1e-4, .options = {{"accuracy", 1e-10}}};
  double before = 1;
  simulate(start_of(pendulum), fine, [&](const State& s) {
    const double now = s.q()[0];
    for (int i = 0; i < 20; ++i) {
      const double a = before - levels[std::size_t(i)], b = now - levels[std::size_t(i)];
      const bool up = a < 0 && b > 0, down = a > 0 && b < 0;
      if ((up && i % 3 != 1) || (down && i % 3 != 0)) expected.emplace_back(s.time(), i);
    }
    before = now;
  });
  const auto summary =
      simulate(start_of(pendulum), {.method = "tree-projected", .time = 5, .options = {{"accuracy", 1e-10}}}, {}, {}, events);
  ASSERT_EQ(summary.event_records.size(), expected.size());
  ASSERT_GT(expected.size(), 50u);
  std::vector<std::pair<double, int>> found;
  for (const EventRecord& record : summary.event_records) found.emplace_back(record.time, record.event);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  const auto by_event = [](const auto& a, const auto& b) {
    return std::pair(a.second, a.first) < std::pair(b.second, b.first);
  };
  std::sort(found.begin(), found.end(), by_event), std::sort(expected.begin(), expected.end(), by_event);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].second, expected[i].second);
    EXPECT_NEAR(found[i].first, expected[i].first, 1.01e-4);  // the grid
  }
}

/// Of a pendulum of length 1 that swings to an angle: 2 pi / agm(1, cos(angle / 2)) sqrt(1 / g).
double period(double angle) {
  double a = 1, b = std::cos(angle / 2);
  for (int i = 0; i < 10; ++i) std::tie(a, b) = std::pair((a + b) / 2, std::sqrt(a * b));
  return 2 * pi / a / std::sqrt(g);
}

// Errors of accuracy 1e-10 in each of some thirty steps of a period change its length by less than 1e-8 of it, and the same way
// each time: 1000 periods are off by 1e-5 of themselves at most. Where the crossings lie between each other tells more.
TEST(Events, CountAThousandPeriodsWithoutMissingOrDoublingOne) {
  const double T = period(1);
  const auto summary =
      simulate(start_of(pendulum), {.method = "tree-projected", .time = 1000 * T, .options = {{"accuracy", 1e-10}}}, {}, {},
               {{"down", when_coordinate(0, Crossing::falls, 0), nothing},
                {"either", when_coordinate(0, Crossing::crosses, 0), nothing}});
  EXPECT_EQ(summary.event_counts[0].count, 1000);
  EXPECT_EQ(summary.event_counts[1].count, 2000);
  const auto times = times_of(summary, 0);
  for (std::size_t n = 0; n < times.size(); ++n) EXPECT_NEAR(times[n], (double(n) + 0.25) * T, 1e-8 * T * double(n + 1));
  EXPECT_NEAR(summary.event_counts[0].last, 999.25 * T, 1e-5 * 1000 * T);
}

// cos t is below -0.999 for 0.09 s around its minima, less than a quarter of a step. Steps of 0.5 s change the amplitude by
// less than 5e-6 each, and the interpolant is good to 1e-4, so the level is passed; 2e-4 in it are 0.005 s where the slope is
// 0.0447.
TEST(Events, SeeADoubleCrossingWithinOneStep) {
  const std::string slow = R"((system (gravity 0 0 0) (tz "z" (mass 1)) (torsion-spring "z" 1 0) (initial ("z" 1))))";
  const auto summary = simulate(start_of(slow), {.method = "tree-projected", .time = 6 * pi, .dt = 0.5}, {}, {},
                                {{"past", when_coordinate(0, Crossing::crosses, -0.999), nothing}});
  const auto times = times_of(summary);
  ASSERT_EQ(times.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(times[i], (2 * double(i / 2) + 1) * pi + (i % 2 ? 1 : -1) * std::acos(0.999), 0.01);
}

TEST(Events, ThatDoNothingLeaveStepsAndReportsAlone) {
  for (SimulateOptions options : both_methods) {
    options.time = 3;
    for (const bool intervals : {false, true}) {
      if (intervals) options.interval = 0.07;
      std::vector<double> without, with;
      const auto keep = [](std::vector<double>& list) {
        return [&list](const State& s) { list.insert(list.end(), {s.time(), s.q()[0], s.u()[0]}); };
      };
      const auto a = simulate(start_of(pendulum), options, keep(without));
      const auto b = simulate(start_of(pendulum), options, keep(with), {},
                              {{"cross", when_coordinate(0, Crossing::crosses, 0.2), nothing}, {"step", EveryStep{}, nothing}});
      EXPECT_EQ(without, with);
      EXPECT_EQ(a.steps.steps, b.steps.steps);
      EXPECT_EQ(b.event_counts[0].count, 3);  // in 1.4 periods: down, up and down
      EXPECT_EQ(b.event_counts[1].count, b.steps.steps);
    }
  }
}

TEST(Events, ShowReportersTheStateAfterThem) {
  SimulateOptions options{.time = 1, .interval = 0.25};
  std::vector<double> speeds;
  simulate(start_of("(system (gravity 0 0 0) (tz \"z\" (mass 1)))"), options,
           [&](const State& s) { speeds.push_back(s.u()[0]); }, {}, {{"kick", AtTimes{{0.5}}, [](State& s) {
                                                                        s.set_u(0, 2);
                                                                        return EventAction{};
                                                                      }}});
  EXPECT_EQ(speeds, (std::vector<double>{0, 0, 2, 2, 2}));
}

TEST(Events, MayStopTheRunWhichIsThenComplete) {
  for (SimulateOptions options : both_methods) {
    options.time = 5;
    double last = 0;
    const auto summary = simulate(start_of(ball), options, [&](const State& s) { last = s.time(); }, {},
                                  {{"landing", when_coordinate(0, Crossing::falls, 0), [](State&) {
                                      return EventAction{true, "it is down"};
                                    }}});
    EXPECT_TRUE(summary.completed);
    EXPECT_NEAR(summary.time_end, std::sqrt(2 / g), 1e-9);
    EXPECT_EQ(last, summary.time_end);
    EXPECT_NE(summary.stopped_by.find("event \"landing\" at t = 0.4515"), std::string::npos) << summary.stopped_by;
    EXPECT_NE(summary.stopped_by.find("it is down"), std::string::npos) << summary.stopped_by;
  }
}

TEST(Events, CountWithDiscreteVariables) {
  const std::string text = R"((system (ry "a" (tz -1 (name "tip") (mass 1))) (initial ("a" 1)) (discrete "n" 0)
    (event "swing" (when "a" crosses 0) (add-discrete "n" 1))
    (event "third" (when (discrete "n") rises 2.5) (stop))))";
  const auto summary = simulate(start_of(text), {.method = "tree-projected", .time = 100, .options = {{"accuracy", 1e-9}}});
  EXPECT_NEAR(summary.time_end, 1.25 * period(1), 1e-7);
  EXPECT_EQ(summary.event_counts[0].count, 3);
  EXPECT_EQ(summary.event_counts[1].count, 1);
}

TEST(Events, EndTheRunInWordsWhenTheirWitnessIsNoNumber) {
  const Trigger bad{[](const State& s) { return s.time() < 0.5 ? 1 : std::nan(""); }, Stage::time, Crossing::crosses, {}};
  const auto summary = simulate(start_of(pendulum), {.time = 1}, {}, {}, {{"bad", bad, nothing}});
  EXPECT_FALSE(summary.completed);
  EXPECT_NE(summary.failure.find("witness of event \"bad\" is nan"), std::string::npos) << summary.failure;
  EXPECT_NEAR(summary.time_end, 0.5, 0.02);
}

TEST(Events, KeepWhatWasReachedWhenTheirHandlerFails) {
  for (SimulateOptions options : both_methods) {
    options.time = 1;
    std::vector<double> times;
    const auto fail = [](State& s) -> EventAction {
      s.set_q(0, 100);
      throw std::runtime_error("out of paper");
    };
    const auto summary = simulate(start_of(pendulum), options, [&](const State& s) { times.push_back(s.time()); }, {},
                                  {{"print", when_time(0.555), fail}});
    EXPECT_FALSE(summary.completed);
    EXPECT_NE(summary.failure.find("event \"print\": its handler failed: out of paper"), std::string::npos) << summary.failure;
    EXPECT_NEAR(summary.time_end, 0.555, 1e-9);
    EXPECT_EQ(times.back(), summary.time_end);
    EXPECT_LT(std::abs(summary.energy_drift()), 1e-2);  // nothing of what the handler did is in it
  }
}

TEST(Events, RefuseHandlersThatLeaveNonsenseBehind) {
  const auto failure = [&](const Handler& handler) {
    return simulate(start_of(pendulum), {.time = 1}, {}, {}, {{"bad", AtTimes{{0.5}}, handler}}).failure;
  };
  EXPECT_NE(failure([](State& s) {
              s.set_u(0, std::nan(""));
              return EventAction{};
            }).find("speed \"a'\" nan"),
            std::string::npos);
  EXPECT_NE(failure([](State& s) {
              s.set_time(7);
              return EventAction{};
            }).find("changed the time to 7 s"),
            std::string::npos);
}

TEST(Events, RefuseWhatCannotWork) {
  const auto run = [&](const Event& event) { simulate(start_of(pendulum), {.time = 1}, {}, {}, {event}); };
  EXPECT_THROW(run({"x", Trigger{}, nothing}), std::invalid_argument);
  EXPECT_THROW(run({"x", EveryPeriod{0, 0}, nothing}), std::invalid_argument);
  EXPECT_THROW(run({"x", EveryPeriod{1e-30, 0}, nothing}), std::invalid_argument);
  EXPECT_THROW(run({"x", AtTimes{{std::nan("")}}, nothing}), std::invalid_argument);
}

TEST(Events, DoNotHappenForAWitnessThatStartsAtZero) {
  const std::string text = R"((system (ry "a" (tz -1 (mass 1))) (initial ("a" 0 1))))";
  for (SimulateOptions options : both_methods) {
    options.time = 0.9 * period(0.3);
    const auto summary =
        simulate(start_of(text), options, {}, {}, {{"down", when_coordinate(0, Crossing::crosses, 0), nothing}});
    EXPECT_EQ(summary.event_counts[0].count, 1) << options.method;  // half a period later
  }
}

}  // namespace
}  // namespace polhode::study
