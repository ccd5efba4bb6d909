#include "polhode/mechanism/event_spec.h"
#include "tests/format/language/reading.h"

namespace polhode::format {
namespace {

const std::string start = R"((system (tz "z" (name "ball") (mass 1)) (ry "a" (tz -1 (name "tip") (mass 1)))
  (body "top" (mass 1) (inertia 1 1 1)) (kinematic "a" (sine 1 1)) (discrete "n" 2)
  (wire "tip" "ball" 1 (name "rope")) )";
std::string model_with(const std::string& forms) { return start + forms + ")"; }

TEST(EventLanguage, ReadsEveryWitnessAndAction) {
  const MechanismBuilder b = sound(model_with(R"(
    (event "a" (when "z" Rises (deg 180)))
    (event "b" (when (speed "z'") falls -1) (stop))
    (event "c" (when (position "tip" Z) crosses 0.5) (enable "rope") (disable "rope"))
    (event "d" (when (distance "tip" ground) rises 2) (lock "z") (unlock "z"))
    (event "e" (when (time) rises 3) (set "z" 1) (set-speed "z" 2) (scale-speed "z'" -0.5))
    (event "f" (when (energy) falls 4) (set-discrete "n" 5) (add-discrete "n" -1) (say "so; \"it\" goes"))
    (event "g" (when (discrete "n") rises 2.5))
    (event "h" (at 1.5 2) (stop)) (event "i" (every 0.1 0.05)) (event "j" (every 2)) (event "k" (every-step)))"));
  ASSERT_EQ(b.events().size(), 11u);
  ASSERT_EQ(b.discrete().size(), 1u);
  EXPECT_EQ(b.discrete()[0].initial, 2);
  const auto when = [&](int i) { return std::get<WhenSpec>(b.events()[std::size_t(i)].when); };
  EXPECT_DOUBLE_EQ(when(0).value, pi);
  EXPECT_EQ(when(0).crossing, Crossing::rises);
  EXPECT_EQ(when(1).crossing, Crossing::falls);
  EXPECT_EQ(std::get<PositionWitness>(when(2).witness).axis, 2);
  EXPECT_EQ(std::get<DistanceWitness>(when(3).witness).frame_b, "ground");
  EXPECT_TRUE(std::holds_alternative<TimeWitness>(when(4).witness));
  EXPECT_EQ(std::get<AtSpec>(b.events()[7].when).times, (std::vector<double>{1.5, 2}));
  EXPECT_EQ(std::get<EverySpec>(b.events()[8].when).from, 0.05);
  EXPECT_TRUE(std::holds_alternative<EveryStepSpec>(b.events()[10].when));
  EXPECT_EQ(std::get<SayAction>(b.events()[5].actions[2].model).text, "so; \"it\" goes");
  EXPECT_EQ(b.build().discrete_variable("n"), 0);
}

// What is printed and read again prints the same; the fields above are read right, so nothing is lost on the way.
TEST(EventLanguage, PrintsWhatItReads) {
  const MechanismBuilder b = sound(model_with(R"(
    (event "a" (when "z" rises 0.1) (stop)) (event "b" (when (speed "z'") falls -1) (enable "rope") (disable "rope"))
    (event "c" (when (position "tip" y) crosses 1e-3) (lock "z") (unlock "z") (set "z" 1) (set-speed "z" 0))
    (event "d" (when (distance "tip" "ball") rises 2) (scale-speed "z" 0) (set-discrete "n" 5) (add-discrete "n" -1))
    (event "e" (when (time) rises 3) (say "")) (event "f" (when (energy) falls 4)) (event "g" (when (discrete "n") rises 2.5))
    (event "h" (at 1.5 2)) (event "i" (every 0.1 0.05)) (event "j" (every 2)) (event "k" (every-step)))"));
  const std::string text = write_model(b);
  for (const char* part :
       {"(discrete \"n\" 2)", "(event \"a\" (when \"z\" rises 0.1) (stop))", "(when (position \"tip\" y) crosses 0.001)",
        "(scale-speed \"z\" 0)", "(say \"\")", "(at 1.5 2)", "(every 0.1 0.05)", "(every 2)", "(every-step)"})
    EXPECT_TRUE(contains(text, part)) << part << " in " << text;
  EXPECT_EQ(write_model(sound(text)), text);
}

struct Mistake {
  const char *claim, *forms, *at;
  std::vector<const char*> words;
};

// Every mistake is told once, at the word or form that is at fault.
TEST(EventLanguage, TellsMistakesWithTheirPlace) {
  const std::vector<Mistake> mistakes{
      {"NoName", "(event)", "(event)", {"event's name is missing"}},
      {"NoTime", "(event \"e\")", "(event", {"does not say when", "(every period"}},
      {"WrongTrigger", "(event \"e\" (wen \"z\" rises 0))", "wen", {"no trigger \"wen\"", "did you mean \"when\""}},
      {"WrongDirection", "(event \"e\" (when \"z\" rise 0))", "rise ", {"direction \"rise\"", "did you mean \"rises\""}},
      {"WrongWitness", "(event \"e\" (when (sped \"z\") rises 0))", "sped", {"no witness \"sped\"", "did you mean \"speed\""}},
      {"WrongAxis", "(event \"e\" (when (position \"tip\" w) rises 0))", "w)", {"axis \"w\""}},
      {"WrongAction", "(event \"e\" (at 1) (halt))", "halt", {"no action \"halt\"", "stop, enable"}},
      {"NoValue", "(event \"e\" (when \"z\" rises))", "(when", {"value is missing"}},
      {"TooMuch", "(event \"e\" (every 1 2 3))", "3)", {"one argument too many"}},
      {"BareAction", "(event \"e\" (at 1) stop)", "stop", {"the word \"stop\" is not expected"}},
      {"UnknownCoordinate",
       "(event \"e\" (when \"zz\" rises 0))",
       "(event",
       {"coordinate \"zz\" is not defined", "did you mean"}},
      {"UnknownSpeed", "(event \"e\" (at 1) (set-speed \"zz\" 0))", "(set-speed", {"\"zz\" is not defined"}},
      {"UnknownFrame", "(event \"e\" (when (position \"tipp\" x) rises 0))", "(event", {"\"tipp\"", "did you mean \"tip\""}},
      {"UnknownJoint", "(event \"e\" (at 1) (lock \"hinge\"))", "(lock", {"joint \"hinge\" is not defined", "joints: "}},
      {"UnknownConstraint", "(event \"e\" (at 1) (enable \"robe\"))", "(enable", {"\"robe\"", "did you mean \"rope\""}},
      {"UnknownDiscrete", "(event \"e\" (at 1) (add-discrete \"m\" 1))", "(add-discrete", {"discrete variable \"m\""}},
      {"UnknownDiscreteWitness", "(event \"e\" (when (discrete \"m\") rises 1))", "(event", {"discrete variable \"m\""}},
      {"SetsKinematic", "(event \"e\" (at 1) (set \"a\" 1))", "(set", {"\"a\" follows a signal"}},
      {"SetsQuaternion", "(event \"e\" (at 1) (set \"top.qw\" 1))", "(set", {"describes an orientation"}},
      {"BadPeriod", "(event \"e\" (every -1))", "(event", {"period -1 s must be a positive number"}},
      {"SameFrames", "(event \"e\" (when (distance \"tip\" \"tip\") rises 1))", "(event", {"\"tip\""}},
      {"DiscreteWithoutValue", "(discrete \"k\")", "(discrete", {"value is missing"}},
  };
  for (const Mistake& m : mistakes) {
    SCOPED_TRACE(m.claim);
    const std::string error = error_of(model_with("\n" + std::string(m.forms)));
    const std::string place = "m.pol:4:" + std::to_string(std::string(m.forms).find(m.at) + 1) + ": ";
    EXPECT_EQ(error.substr(0, place.size()), place) << error;
    for (const char* words : m.words) EXPECT_TRUE(contains(error, words)) << "no \"" << words << "\" in:\n" << error;
    EXPECT_EQ(error.find("m.pol:", 1), std::string::npos) << error;
  }
}

TEST(EventLanguage, PointsAtBothEventsOfOneName) {
  const std::string error = error_of(model_with("\n(event \"e\" (at 1))\n(event \"e\" (at 2))"));
  EXPECT_TRUE(contains(error, "m.pol:5:1: event \"e\" is already defined")) << error;
  EXPECT_TRUE(contains(error, "m.pol:4:1: note: first defined")) << error;
  EXPECT_TRUE(contains(error_of(model_with("(discrete \"n\" 1)")), "discrete variable \"n\" is already defined"));
}

}  // namespace
}  // namespace polhode::format
