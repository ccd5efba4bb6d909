#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/format/language/expander.h"
#include "polhode/format/language/frame_reader.h"
#include "polhode/format/language/limits.h"
#include "polhode/format/language/utf8.h"
#include "polhode/mechanism/elements.h"

/// Files, and submodels with their uses.
namespace polhode::format {
namespace {

bool is_word(const Node& node) { return node.kind == Node::Kind::string || node.kind == Node::Kind::symbol; }
std::string name_of(const Node& word) {
  return word.kind == Node::Kind::string ? unescaped(word.text) : std::string(word.text);
}
bool is_system(const SyntaxTree& tree, NodeId id) {
  return tree.is_form(id, "system") || tree.is_form(id, "mechanical-system");
}
NodeId argument(const SyntaxTree& tree, NodeId list, int place) {
  NodeId id = tree[list].first;
  while (id != none && place-- > 0) id = tree[id].next;
  return id;
}
/// The one word behind a form's keyword; none when there is something else.
NodeId only_word(const SyntaxTree& tree, NodeId form) {
  const NodeId id = argument(tree, form, 1);
  return id != none && is_word(tree[id]) && tree[id].next == none ? id : none;
}
/// "parts/" of "parts/leg.pol".
std::string folder_of(const std::string& file) { return file.substr(0, file.rfind('/') + 1); }

}  // namespace

// Files.

std::optional<Expander::Loaded> Expander::load(const SyntaxTree& tree, NodeId form, int scope_index) {
  const Scope& scope = scopes_[std::size_t(scope_index)];
  const Source where = place_of(tree, form, scope_index);
  const NodeId word = only_word(tree, form);
  if (word == none) {
    problem(where, fmt::format("include: it names no file, or more than one; write {}", include_usage));
    return std::nullopt;
  }
  if (!notes_.may_name_files()) {
    problem(where, "include: only a model that is itself read from a file can include other files; write their forms here");
    return std::nullopt;
  }
  if (!may_expand(where, scope)) return std::nullopt;
  const std::string name = name_of(tree[word]), file = name.starts_with('/') ? name : scope.folder + name;
  try {
    texts_.files.push_back({file, notes_.text_of_file(file)});
  } catch (const std::runtime_error& error) {
    problem(where, fmt::format("include: {}: {}", quoted(file), error.what()));
    return std::nullopt;
  }
  const std::string& text = texts_.files.back().text;
  bytes_ += text.size();
  if (bytes_ > max_text_bytes) {
    give_up(where, "include: the model and the files that it includes are larger than 64 MiB in all");
    return std::nullopt;
  }
  Scope inner = scope;
  ++inner.depth;
  inner.folder = folder_of(file);
  inner.origin = new_origin(int(texts_.files.size()) - 1, where, "included here", scope.instance);
  if (auto bad = find_bad_byte(text)) {
    bad->where = place_in(bad->where, inner.origin);
    notes_.problems.push_back(std::move(*bad));
    return std::nullopt;
  }
  const std::size_t mistakes_before = notes_.problems.size();
  const SyntaxTree& read = trees_.emplace_back(text, notes_.problems);
  for (std::size_t i = mistakes_before; i < notes_.problems.size(); ++i)
    for (Source* const place : {&notes_.problems[i].where, &notes_.problems[i].other})
      if (place->line > 0) *place = place_in(*place, inner.origin);
  if (!read.is_complete() || notes_.problems.size() > mistakes_before) return std::nullopt;
  const NodeId first = read.first();
  const bool is_model = first != none && read[first].next == none && is_system(read, first);
  inner.of_a_model = is_model;
  return Loaded{&read, is_model ? read[read[first].first].next : first, new_scope(std::move(inner))};
}

void Expander::include(const SyntaxTree& tree, NodeId form, int scope, NodeId to) {
  const auto known = loaded_.find({&tree, form});
  const auto loaded = known != loaded_.end() ? known->second : load(tree, form, scope);
  if (loaded) push_nodes(*loaded->tree, loaded->first, loaded->scope, to);
}

// Definitions.

/// Recursion is as deep as files are nested.
void Expander::collect(const SyntaxTree& tree, NodeId first, int scope) {
  for (NodeId id = first; id != none && !gave_up_; id = tree[id].next) {
    if (tree.is_form(id, "submodel")) define(tree, id, scope);
    if (!tree.is_form(id, "include")) continue;
    const auto loaded = load(tree, id, scope);
    loaded_[{&tree, id}] = loaded;
    if (loaded) collect(*loaded->tree, loaded->first, loaded->scope);
  }
}

void Expander::define(const SyntaxTree& tree, NodeId form, int scope) {
  const Source where = place_of(tree, form, scope);
  const NodeId word = argument(tree, form, 1);
  if (word == none || !is_word(tree[word]))
    return problem(where, fmt::format("submodel: its name is missing; write {}", submodel_usage));
  const std::string name = name_of(tree[word]);
  const auto [known, is_new] = submodels_.try_emplace(name, Submodel{name, &tree, form, scope});
  if (!is_new)
    return notes_.problems.push_back({fmt::format("submodel {} is defined twice; keep one", quoted(name)), where,
                                      place_of(*known->second.tree, known->second.form, known->second.scope),
                                      "the first one is here"});
  for (NodeId id = tree[word].next; id != none; id = tree[id].next)
    for (const char* const keyword : {"name", "gravity", "submodel"})
      if (tree.is_form(id, keyword))
        problem(place_of(tree, id, scope),
                fmt::format("submodel {}: ({} ...) belongs to the whole model; write it there", quoted(name), keyword));
}

// Uses.

std::optional<Expander::Use> Expander::read_use(const SyntaxTree& tree, NodeId form, int scope, NodeId to) {
  const Source where = place_of(tree, form, scope);
  const NodeId which = argument(tree, form, 1), called = argument(tree, form, 2);
  if (which == none || called == none || !is_word(tree[which]) || !is_word(tree[called])) {
    problem(where, fmt::format("use: it needs a submodel's name and its own; write {}", use_usage));
    return std::nullopt;
  }
  const Scope& s = scopes_[std::size_t(scope)];
  const auto text_of = [&](NodeId word) {
    const std::string name = name_of(tree[word]);
    const bool has_index = !s.indices.empty() && name.find('{') != name.npos;
    return has_index ? with_indices(name, s, place_of(tree, word, scope)) : name;
  };
  const std::string wanted = text_of(which);
  const auto found = submodels_.find(wanted);
  if (found == submodels_.end()) {
    std::vector<std::string> names;
    for (const auto& [name, submodel] : submodels_) names.push_back(name);
    problem(place_of(tree, which, scope), fmt::format("use: there is no submodel {}{}", quoted(wanted),
                                                      suggestion(std::string(utf8_prefix(wanted, 60)), names, "submodels")));
    return std::nullopt;
  }
  Use use;
  use.submodel = &found->second;
  use.name = text_of(called);
  use.form = form;
  if (std::find(s.inside.begin(), s.inside.end(), use.submodel) != s.inside.end()) {
    problem(where, fmt::format("use: submodel {} is made of itself", quoted(wanted)));
    return std::nullopt;
  }
  if (use.name.empty() || same_keyword(use.name, ground_name)) {
    problem(place_of(tree, called, scope), "use: its own name must be one that is not taken; give it a letter or more");
    return std::nullopt;
  }

  // What the submodel lets one say.
  const SyntaxTree& definition = *use.submodel->tree;
  std::map<std::string, bool> known;  // whether it is a name
  for (NodeId id = argument(definition, use.submodel->form, 2); id != none; id = definition[id].next) {
    const bool is_parameter = definition.is_form(id, "parameter");
    if (!is_parameter && !definition.is_form(id, "outside")) continue;
    const NodeId word = argument(definition, id, 1);
    if (word != none && is_word(definition[word])) known[name_of(definition[word])] = !is_parameter;
  }
  const std::size_t mistakes_before = notes_.problems.size();
  for (NodeId option = tree[called].next; option != none; option = tree[option].next) {
    const Source place = place_of(tree, option, scope);
    const NodeId word = tree[option].kind == Node::Kind::list ? tree[option].first : none;
    const std::string name = word != none && is_word(tree[word]) ? name_of(tree[word]) : "";
    const NodeId value = word == none ? none : tree[word].next;
    const bool is_name = value != none && is_word(tree[value]) && tree[value].next == none;
    const auto entry = known.find(name);
    const bool is_place = entry == known.end() && (same_keyword(name, "on") || same_keyword(name, "at"));
    const auto refuse = [&](const std::string& why) { problem(place, fmt::format("use {}: {}", quoted(use.name), why)); };
    if (is_place && to != draft_.system) {
      refuse(fmt::format("({} ...) cannot stand inside a frame, which says where it is; use it directly in the system", name));
    } else if (is_place) {
      NodeId& into = same_keyword(name, "on") ? use.on : use.at;
      if (into != none) refuse(fmt::format("({} ...) is given twice; keep one", name));
      if (value == none || (same_keyword(name, "on") && !is_name))
        refuse(fmt::format("({} ...) is not complete; write {}", name, use_usage));
      into = option;
    } else if (entry == known.end()) {
      std::vector<std::string> names{"on", "at"};
      for (const auto& [one, is_outside] : known) names.push_back(one);
      refuse(fmt::format("submodel {} has no parameter {}{}", quoted(wanted), quoted(name),
                         suggestion(std::string(utf8_prefix(name, 60)), names, "there are")));
    } else if (entry->second ? !is_name : value == none || tree[value].next != none) {
      refuse(fmt::format("{} takes one {}", quoted(name), entry->second ? "name" : "number"));
    } else if (entry->second ? !use.outside.emplace(name, text_of(value)).second
                             : !use.parameters.emplace(name, option).second) {
      refuse(fmt::format("{} is given twice; keep one", quoted(name)));
    }
  }
  for (const auto& [name, is_outside] : known)
    if (is_outside && !use.outside.count(name))
      problem(where, fmt::format("use {}: submodel {} needs a name from here; write ({} \"...\")", quoted(use.name),
                                 quoted(wanted), name));
  return notes_.problems.size() == mistakes_before ? std::optional(std::move(use)) : std::nullopt;
}

/// (use "left" "torso" (pose ...)): for the reader, which knows what the numbers come to.
void Expander::place(const Use& use, const SyntaxTree& tree, NodeId form, int scope, int instance) {
  const int whose = scopes_[std::size_t(scope)].instance;
  const Source where = place_of(tree, form, scope);
  const NodeId list = append(draft_.system, {.where = where}, whose);
  result_.placements_.emplace(list, instance);
  append(list, {.kind = Node::Kind::symbol, .where = where, .text = "use"}, whose);
  append(list, {.kind = Node::Kind::string, .where = where, .text = draft_.tree.keep(escaped(use.name))}, whose);
  if (use.on == none)
    append(list, {.kind = Node::Kind::symbol, .where = where, .text = ground_name}, whose);
  else
    copy_word(tree, argument(tree, use.on, 1), scope, list);
  if (use.at == none) return;
  const NodeId pose = append(list, {.where = place_of(tree, use.at, scope)}, whose);
  append(pose, {.kind = Node::Kind::symbol, .where = place_of(tree, use.at, scope), .text = "pose"}, whose);
  push_nodes(tree, argument(tree, use.at, 1), scope, pose);
}

/// What cannot stand in a frame goes to the system. A parameter's value may be another one from outside.
void Expander::push_form(const SyntaxTree& definition, NodeId form, int inner, const Use& use, const SyntaxTree& tree,
                         int scope, NodeId to) {
  const std::string_view head = definition.head(form);
  const auto stays = [&](std::string_view word) { return same_keyword(head, word); };
  const bool is_of_frame = is_frame_form(head) || stays("name") || stays("mass") || stays("shape") || stays("include") ||
                           stays("use") || stays("repeat");
  Task task;
  task.kind = Task::Kind::one_node;
  task.tree = &definition, task.next = form, task.scope = inner, task.to = is_of_frame ? to : draft_.system;
  const NodeId name = argument(definition, form, 1);
  const bool is_parameter = stays("parameter") && name != none && is_word(definition[name]);
  const auto given = is_parameter ? use.parameters.find(name_of(definition[name])) : use.parameters.end();
  if (given == use.parameters.end()) {
    if (is_parameter && definition[name].next == none)
      return problem(place_of(tree, use.form, scope),
                     fmt::format("use {}: parameter {} has no value of its own; write ({} value)", quoted(use.name),
                                 quoted(name_of(definition[name])), name_of(definition[name])));
    tasks_.push_back(std::move(task));
    return;
  }
  Node list = definition[form];
  list.first = list.next = none;
  list.where = place_of(definition, form, inner);
  const NodeId parameter = append(draft_.system, list, scopes_[std::size_t(inner)].instance);
  copy_word(definition, definition[form].first, inner, parameter);
  copy_word(definition, name, inner, parameter);
  push_nodes(tree, argument(tree, given->second, 1), scope, parameter);
}

void Expander::instantiate(const Use& use, const SyntaxTree& tree, NodeId form, int scope, NodeId to) {
  const Source where = place_of(tree, form, scope);
  const Submodel& submodel = *use.submodel;
  const Scope& outer = scopes_[std::size_t(scope)];
  const Scope& defined = scopes_[std::size_t(submodel.scope)];
  const int instance = int(result_.instances_.size());
  result_.instances_.push_back({outer.instance, use.name + ".", use.on != none || use.at != none});

  Scope inner;
  inner.instance = instance;
  inner.depth = outer.depth + 1;
  inner.folder = defined.folder;
  inner.inside = outer.inside;
  inner.inside.push_back(&submodel);
  inner.origin = new_origin(texts_.origins[std::size_t(defined.origin)].file, where,
                            fmt::format("used here as {}", quoted(use.name)), instance);
  const int inner_scope = new_scope(std::move(inner));

  Task end;
  end.kind = Task::Kind::end_of_instance;
  end.instance = instance;
  end.first = NodeId(draft_.parent.size());
  end.outside = use.outside;
  tasks_.push_back(std::move(end));
  // Forms are copied in order; a task that is pushed last is done first.
  std::vector<NodeId> forms;
  const SyntaxTree& definition = *submodel.tree;
  for (NodeId id = argument(definition, submodel.form, 2); id != none; id = definition[id].next)
    if (!definition.is_form(id, "outside")) forms.push_back(id);
  for (auto id = forms.rbegin(); id != forms.rend(); ++id) push_form(definition, *id, inner_scope, use, tree, scope, to);
  if (result_.instances_.back().is_placed) place(use, tree, form, scope, instance);
}

void Expander::use(const SyntaxTree& tree, NodeId form, int scope, NodeId to) {
  const auto said = read_use(tree, form, scope, to);
  if (said && may_expand(place_of(tree, form, scope), scopes_[std::size_t(scope)])) instantiate(*said, tree, form, scope, to);
}

}  // namespace polhode::format
