#include "polhode/format/language/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "polhode/format/language/constraint_reader.h"
#include "polhode/format/language/element_form.h"
#include "polhode/format/language/element_reader.h"
#include "polhode/format/language/event_reader.h"
#include "polhode/format/language/expansion.h"
#include "polhode/format/language/force_reader.h"
#include "polhode/format/language/frame_reader.h"
#include "polhode/format/language/law_reader.h"
#include "polhode/format/language/limits.h"
#include "polhode/format/language/motion_reader.h"
#include "polhode/format/language/placement.h"
#include "polhode/format/language/shape_reader.h"
#include "polhode/format/language/signal_reader.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

class SystemReader {
 public:
  SystemReader(const Expansion& expansion, Notes& notes) : expansion_(expansion), tree_(expansion.tree()), notes_(notes) {}

  void read(NodeId system);

  Description finish() {
    if (expansion_.places_any()) {
      Placements placements(expansion_, draft_, notes_);
      placements.move(frames_);
      placements.move_elements(frames_);
    }
    add_frame_tree(frames_, draft_.builder);
    draft_.complete(notes_);
    return {std::move(draft_.builder), structure_is_sound_};
  }

 private:
  struct Form {
    std::string_view keyword, usage;
    bool structural;  ///< a mistake in it takes names away from other forms
    std::function<void(SystemReader&, Arguments&)> read;
  };
  static const std::vector<Form>& forms();
  static std::vector<Form> with_table_forms(std::vector<Form> forms);

  /// Gets bodies, frames and shapes.
  MechanismBuilder& structure() { return expansion_.places_any() ? draft_.as_drawn : draft_.builder; }
  void read_component(NodeId id);
  void read_name(Arguments& arguments);
  void read_gravity(Arguments& arguments);
  bool is_second(Arguments& arguments, Source& first);

  const Expansion& expansion_;
  const SyntaxTree& tree_;
  Notes& notes_;
  Draft draft_;
  std::vector<TreeFrame> frames_;
  Source name_place_, gravity_place_;
  bool warned_of_spelling_ = false;
  bool structure_is_sound_ = true;
};

const std::vector<SystemReader::Form>& SystemReader::forms() {
  using R = SystemReader;
  using A = Arguments;
  static const std::vector<Form> table = with_table_forms({
      {"name", "(name \"...\")", false, [](R& r, A& a) { r.read_name(a); }},
      {"parameter", parameter_usage, false, [](R&, A&) {}},  // read before all else
      {"gravity", gravity_usage, false, [](R& r, A& a) { r.read_gravity(a); }},
      // Replaced before anything is read, where they may stand.
      {"include", include_usage, true, [](R&, A&) {}},
      {"submodel", submodel_usage, true, [](R&, A&) {}},
      {"use", use_usage, true, [](R&, A&) {}},
      {"repeat", repeat_usage, true, [](R&, A&) {}},
      {"body", body_usage, true, [](R& r, A& a) { read_body(a, r.structure()); }},
      {"joint", joint_usage, true, [](R& r, A& a) { read_joint(a, r.draft_); }},
      {"frame", frame_usage, true, [](R& r, A& a) { read_frame(a, r.structure()); }},
      {"shape", shape_usage, false, [](R& r, A& a) { read_shape(a, r.structure()); }},
      {"point-constraint", point_constraint_usage, false, [](R& r, A& a) { read_point_constraint(a, r.draft_.builder); }},
      {"generalized-force", generalized_force_usage, false, [](R& r, A& a) { read_generalized_force(a, r.draft_.builder); }},
      {"force", force_usage, false, [](R& r, A& a) { read_force(a, r.draft_.builder); }},
      {"torque", torque_usage, false, [](R& r, A& a) { read_torque(a, r.draft_.builder); }},
      {"wrench", wrench_usage, false, [](R& r, A& a) { read_wrench(a, r.draft_.builder); }},
      {"frame-wrench", frame_wrench_usage, false, [](R& r, A& a) { read_frame_wrench(a, r.draft_.builder); }},
      {"motor", motor_usage, false, [](R& r, A& a) { read_motor(a, r.draft_.builder); }},
      {"kinematic", kinematic_usage, false, [](R& r, A& a) { read_kinematic(a, r.draft_.builder); }},
      {"motion", motion_usage, false, [](R& r, A& a) { read_motion(a, r.draft_.builder); }},
      {"fast", fast_usage, false, [](R& r, A& a) { read_fast(a, r.draft_.builder); }},
      {"lock", lock_usage, false, [](R& r, A& a) { read_lock(a, r.draft_.builder); }},
      {"input", input_usage, false, [](R& r, A& a) { read_input(a, r.draft_.builder); }},
      {"state", state_usage, false, [](R& r, A& a) { read_state(a, r.draft_.builder); }},
      {"discrete", discrete_usage, false, [](R& r, A& a) { read_discrete(a, r.draft_.builder); }},
      {"event", event_usage, false, [](R& r, A& a) { read_event(a, r.draft_.builder); }},
      {"initial", initial_usage, false, [](R& r, A& a) { read_initial(a, r.draft_); }},
      {"velocity", velocity_usage, false, [](R& r, A& a) { read_velocity(a, r.draft_.builder); }},
  });
  return table;
}

/// With the forms that come from tables of fields: constraints behind point-constraint, forces behind all.
std::vector<SystemReader::Form> SystemReader::with_table_forms(std::vector<Form> forms) {
  static std::deque<std::string> usages;  // the forms refer to them
  const auto has = [&](std::string_view keyword) {
    return std::any_of(forms.begin(), forms.end(), [&](const Form& form) { return form.keyword == keyword; });
  };
  std::vector<Form> constraints;
  ConstraintElements::for_each_described([&]<class Element>() {
    if constexpr (has_table_form<Element>()) {
      const auto add = [&](const char* word, const char* kind) {
        const std::string& usage = usages.emplace_back(usage_of<Element>(word, constraint_ending_usage));
        constraints.push_back({word, usage, false,
                               [kind](SystemReader& r, Arguments& a) { read_constraint<Element>(a, kind, r.draft_.builder); }});
      };
      if (!has(Element::keyword)) add(Element::keyword, "");
      if constexpr (requires { Element::another_word; }) add(Element::another_word, Element::another_word);
    }
  });
  const auto is_point = [](const Form& form) { return form.keyword == "point-constraint"; };
  forms.insert(std::find_if(forms.begin(), forms.end(), is_point) + 1, constraints.begin(), constraints.end());
  ForceElements::for_each_described([&]<class Element>() {
    if constexpr (has_table_form<Element>())
      if (!has(Element::keyword))
        forms.push_back({Element::keyword, usages.emplace_back(usage_of<Element>()), false, [](SystemReader& r, Arguments& a) {
                           read_table_form<Element>(a, {.called_by_name = true}, [&](Element element) {
                             r.draft_.builder.add_force({std::move(element), a.where()});
                           });
                         }});
  });
  return forms;
}

bool SystemReader::is_second(Arguments& arguments, Source& first) {
  if (first.line > 0) {
    notes_.problems.push_back(
        {fmt::format("{} is given twice; keep one", arguments.subject()), arguments.where(), first, "the first one is here"});
    return true;
  }
  first = arguments.where();
  return false;
}

void SystemReader::read_name(Arguments& arguments) {
  if (is_second(arguments, name_place_)) return;
  draft_.builder.name = arguments.free_text("name").value_or("");
  arguments.finish();
}

void SystemReader::read_gravity(Arguments& arguments) {
  if (is_second(arguments, gravity_place_)) return;
  format::read_gravity(arguments, draft_.builder);
}

void SystemReader::read_component(NodeId id) {
  const Node& node = tree_[id];
  const std::size_t mistakes_before = notes_.problems.size();
  if (node.kind == Node::Kind::bad) return;
  std::string_view head = tree_.head(id);
  if (head.empty()) {
    notes_.problems.push_back(
        {fmt::format("{} is not expected here; a system is made of forms such as (body ...), (joint ...) or (tz -1 ...)",
                     describe(tree_, id)),
         node.where});
    return;
  }
  if (is_frame_form(head)) {
    read_frames(tree_, id, notes_, frames_);
    structure_is_sound_ = structure_is_sound_ && notes_.problems.size() == mistakes_before;
    return;
  }
  if (same_keyword(head, "point-constaint")) {  // as Listing 1 of Johnson & Murphey spell it
    if (!warned_of_spelling_) {
      notes_.warnings.push_back({"\"point-constaint\" is read as \"point-constraint\"", tree_[node.first].where});
    }
    warned_of_spelling_ = true;
    head = "point-constraint";
  }
  const auto form = std::find_if(forms().begin(), forms().end(), [&](const Form& f) { return same_keyword(f.keyword, head); });
  if (form == forms().end()) {
    std::vector<std::string> keywords{"tx", "ty", "tz", "rx", "ry", "rz", "dh", "mdh"};
    for (const Form& f : forms()) keywords.emplace_back(f.keyword);
    std::rotate(keywords.begin(), keywords.begin() + 8, keywords.end());
    notes_.problems.push_back({fmt::format("there is no form {}{}", quoted(head),
                                           suggestion(std::string(utf8_prefix(lower_case(head), 60)), keywords, "forms")),
                               tree_[node.first].where});
    structure_is_sound_ = false;
    return;
  }
  Arguments arguments(tree_, id, form->usage, notes_);
  const int placed = expansion_.placed_by(id);
  if (placed > 0)
    read_placement(arguments, placed, draft_);
  else
    form->read(*this, arguments);
  if (form->structural && notes_.problems.size() > mistakes_before) structure_is_sound_ = false;
}

void SystemReader::read(NodeId system) {
  for (NodeId id = tree_[tree_[system].first].next; id != none; id = tree_[id].next) {
    if (notes_.problems.size() >= max_problems) {
      notes_.problems.push_back({"too many mistakes; reading stopped here", tree_[id].where});
      structure_is_sound_ = false;
      return;
    }
    read_component(id);
  }
}

bool is_system(const SyntaxTree& tree, NodeId id) {
  return tree.is_form(id, "system") || tree.is_form(id, "mechanical-system");
}

/// Finds the one (system ...) that a text must consist of.
NodeId find_system(const SyntaxTree& tree, Notes& notes) {
  const char* wrap = "a model is one form, (system ...), with everything else inside it";
  NodeId system = none;
  for (NodeId id = tree.first(); id != none; id = tree[id].next) {
    const Node& node = tree[id];
    if (is_system(tree, id) && system == none) {
      system = id;
    } else if (is_system(tree, id)) {
      notes.problems.push_back(
          {"a second (system ...); a file holds one model", node.where, tree[system].where, "the first one is here"});
    } else if (node.kind != Node::Kind::bad) {
      notes.problems.push_back({fmt::format("{} outside of a system; {}", describe(tree, id), wrap), node.where});
    }
    if (notes.problems.size() >= max_problems) break;
  }
  if (tree.first() == none) {
    notes.problems.push_back({fmt::format("the model is empty; {}", wrap), {1, 1}});
  }
  return system;
}

}  // namespace

ParsedText::ParsedText(std::string text) : text_(std::move(text)) {
  if (text_.size() > max_text_bytes) {
    problems_.push_back(
        {fmt::format("the model has {} bytes; at most {} (64 MiB) can be read", text_.size(), max_text_bytes), {}});
  } else if (auto bad = find_bad_byte(text_)) {
    problems_.push_back(std::move(*bad));
  } else {
    tree_.emplace(text_, problems_);
    if (!tree_->is_complete()) tree_.reset();  // where forms end is then anyone's guess
  }
}

Description describe_model(const ParsedText& parsed, std::vector<Problem>& problems, std::vector<Problem>& warnings,
                           std::optional<std::string> folder, const ParameterValues& given, const FilesOfModel* files) {
  problems.insert(problems.end(), parsed.problems().begin(), parsed.problems().end());
  if (!parsed.tree()) return {};
  const SyntaxTree& tree = *parsed.tree();
  const bool words_are_sound = problems.empty();
  FilesOfModel read;
  Notes notes{problems, warnings, std::move(folder)};
  if (files) {
    notes.given_files = &files->files;
    notes.meshes = files->meshes;
  }
  notes.read_files = &read.files;
  const NodeId system = find_system(tree, notes);
  if (system == none) return {};
  const Expansion expansion(tree, system, parsed.text(), notes);
  if (!expansion.is_complete()) {
    Description nothing;
    nothing.texts = expansion.texts();
    return nothing;
  }
  Parameters parameters(expansion.tree(), notes);
  parameters.read(expansion.system(), given);
  notes.parameters = &parameters;
  const bool values_are_sound = words_are_sound && problems.empty();
  SystemReader reader(expansion, notes);
  reader.read(expansion.system());
  Description description = reader.finish();
  description.structure_is_sound = description.structure_is_sound && values_are_sound;
  description.parameters = parameters.values();
  description.texts = expansion.texts();
  read.meshes = std::move(notes.meshes);
  if (!files) description.files = std::move(read);
  if (problems.empty()) parameters.warn_of_unused();
  return description;
}

MechanismBuilder read_description(std::string_view text, std::vector<Problem>& problems, std::vector<Problem>& warnings,
                                  std::optional<std::string> folder) {
  return describe_model(ParsedText(std::string(text)), problems, warnings, std::move(folder)).builder;
}

}  // namespace polhode::format
