// Methods name each other where they refuse: what one says of the others must be so.
// Options of every method, from the registry to the stepper.
#include "polhode/study/method_registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "polhode/format/language/model.h"
#include "polhode/study/simulate.h"
#include "polhode/tree/realize.h"

namespace polhode::study {
namespace {

/// Bodies on a track, with a wire: every method has constraints to meet.
const char* const wired = R"((system (tx "x" (mass 1) (tz "z" (name "bob") (mass 1 1 1 1)))
  (wire "ground" "bob" 1) (initial ("x" 0.6) ("z" 0.8))))";

Mechanism mechanism_of(const std::string& text) { return format::read_model(text, "test.pol").mechanism; }

/// A value that is allowed and not the standard one.
OptionValue another(const OptionField& field, const Mechanism& mechanism) {
  if (std::holds_alternative<OptionField::Named>(field.kind))
    return NamedNumbers{{mechanism.coordinate_names().front(), 0.125}};
  if (const auto* whole = std::get_if<OptionField::Whole>(&field.kind)) return whole->allowed.back();
  if (const auto* choice = std::get_if<OptionField::Choice>(&field.kind)) return choice->allowed[1];
  const auto& range = std::get<OptionField::Real>(field.kind);
  return std::min(0.0009765625, range.most);  // a power of two, which no bound and no default is
}

struct Case {
  const MethodEntry* method;
  const OptionField* field;
};
std::vector<Case> all_fields() {
  std::vector<Case> all;
  for (const MethodEntry* method : method_registry())
    for (const OptionField& field : method->options) all.push_back({method, &field});
  return all;
}
std::string name_of(const Case& c) {
  std::string name = c.method->name + "_" + c.field->key();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << name_of(c); }

class Options : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Fields, Options, testing::ValuesIn(all_fields()), [](const auto& c) { return name_of(c.param); });

const OptionValue* in_force(const ResolvedOptions& options, const std::string& name) {
  for (const ResolvedOption& option : options)
    if (option.name == name) return &option.value;
  return nullptr;
}

// From the registry through make_stepper() into the method's own struct, and from there into the record of the result.
TEST_P(Options, ReachTheStepper) {
  const auto& [method, field] = GetParam();
  const Mechanism mechanism = mechanism_of(wired);
  const OptionValue value = another(*field, mechanism);
  ASSERT_NE(field->standard, value);
  SimulateOptions options{.method = method->name};
  options.options.set(field->name, value);
  const auto stepper = make_stepper(mechanism, options);
  stepper->set(tree::initial_state(mechanism));
  const ResolvedOptions resolved = stepper->resolved_options();
  const OptionValue* found = in_force(resolved, field->name);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, value) << text_of(*found);
}

TEST_P(Options, AreInForceWithTheirStandardValueWhereNothingIsGiven) {
  const auto& [method, field] = GetParam();
  const Mechanism mechanism = mechanism_of(wired);
  const ResolvedOptions options = make_stepper(mechanism, {.method = method->name})->resolved_options();
  const OptionValue* found = in_force(options, field->name);
  EXPECT_TRUE(field->standard.has_value() != !field->standard_text.empty()) << "one of the two says what is in force";
  if (!field->standard) return;
  ASSERT_TRUE(found);
  if (field->name == "invariant") {  // all that are kept are listed there
    EXPECT_TRUE(std::get<std::string>(*found).starts_with("energy")) << text_of(*found);
  } else {
    EXPECT_EQ(*found, *field->standard) << text_of(*found);
  }
}

std::string complaint(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST_P(Options, AreRefusedByNameWhereTheyMakeNoSense) {
  const auto& [method, field] = GetParam();
  const Mechanism mechanism = mechanism_of(wired);
  std::vector<OptionValue> wrong{std::numeric_limits<double>::quiet_NaN(), -1.0, "nonsense", NamedNumbers{{"none", 1.0}},
                                 NamedNumbers{{mechanism.coordinate_names().front(), 0.0}}};
  for (const OptionValue& value : wrong) {
    SimulateOptions options{.method = method->name};
    options.options.set(field->name, value);
    const std::string words = complaint([&] { make_stepper(mechanism, options); });
    EXPECT_NE(words.find(field->name), std::string::npos) << words;
    EXPECT_EQ(words, objection(mechanism, options)) << "known without making a stepper";
  }
}

TEST_P(Options, AreRefusedByTheMethodsThatDoNotTakeThem) {
  const auto& [method, field] = GetParam();
  const Mechanism mechanism = mechanism_of(wired);
  for (const MethodEntry* other : method_registry()) {
    if (other->option(field->name)) continue;
    SimulateOptions options{.method = other->name};
    options.options.set(field->name, another(*field, mechanism));
    const std::string words = complaint([&] { make_stepper(mechanism, options); });
    EXPECT_NE(words.find(field->name + " is an option of method"), std::string::npos) << words;
    EXPECT_NE(words.find(method->name), std::string::npos) << words;
  }
}

TEST(Methods, TellAnOptionThatThereIsNot) {
  const std::string words = complaint([] { make_stepper(mechanism_of(wired), {.options = {{"tolerence", 1e-9}}}); });
  EXPECT_NE(words.find("did you mean \"tolerance\""), std::string::npos) << words;
}

// An option of two methods is one option of the command line: the same word, type and unit of both.
TEST(Methods, MeanTheSameByTheSameOption) {
  for (const Case& a : all_fields())
    for (const Case& b : all_fields()) {
      EXPECT_EQ(a.field->name == b.field->name, a.field->word() == b.field->word()) << a << ' ' << b;
      if (a.field->name != b.field->name) continue;
      EXPECT_EQ(a.field->kind.index(), b.field->kind.index()) << a << ' ' << b;
      EXPECT_EQ(a.field->not_with, b.field->not_with) << a << ' ' << b;
    }
}

TEST(Methods, AreWhatTheirSteppersSayTheyAre) {
  for (const MethodEntry* method : method_registry())
    EXPECT_EQ(make_stepper(mechanism_of(wired), {.method = method->name})->method(), method->name);
}

/// What a method says when it refuses a model; empty when it runs it.
std::string refusal(const std::string& model, std::string_view method) {
  try {
    const State start = tree::initial_state(format::read_model(model, "test.pol").mechanism);
    const auto summary = simulate(start, {.method = std::string(method), .time = 0.01});
    return summary.completed ? "" : summary.failure;
  } catch (const std::exception& e) {
    return e.what();
  }
}

class Refusals : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(
    Models, Refusals,
    testing::Values(
        R"((system (tx "x" (mass 1)) (torsion-spring "x" 100 0) (fast "x")))", R"((system (tx "x" (mass 1)) (lock "x")))",
        R"((system (tx "x" (ty "y" (rz "a" (name "blade") (mass 1 1 1 1)))) (no-slip "blade" "blade" "ground" 1 0 0)))",
        R"((system (tx "x" (mass 1)) (constant-coordinate "x" 0 (disabled))))",
        R"((system (tx "x" (mass 1)) (constant-acceleration "x" 1)))"));

// Every method that is named runs the model, and every method that refuses names all that run it.
TEST_P(Refusals, NameAllMethodsThatDoNotRefuse) {
  const std::string model = GetParam();
  std::vector<std::string> able;
  for (const MethodEntry* method : method_registry())
    if (refusal(model, method->name).empty()) able.emplace_back(method->name);
  ASSERT_FALSE(able.empty()) << refusal(model, "tree-projected");
  for (const MethodEntry* method : method_registry()) {
    const std::string words = refusal(model, method->name);
    if (words.empty()) continue;
    for (const MethodEntry* other : method_registry()) {
      if (other->name == method->name) continue;
      const bool runs = std::find(able.begin(), able.end(), other->name) != able.end();
      EXPECT_EQ(words.find(other->name) != std::string::npos, runs) << words << " " << other->name;
    }
  }
}

}  // namespace
}  // namespace polhode::study
