#include "polhode/format/language/frame_reader.h"

#include <fmt/format.h>

#include <array>

#include "polhode/format/language/shape_reader.h"
#include "polhode/format/language/signal_reader.h"
#include "polhode/format/language/utf8.h"

namespace polhode::format {
namespace {

constexpr std::string_view nested_usage =
    "(tx|ty|tz|rx|ry|rz number-or-\"variable\" [more pairs] [(name \"...\")] [(mass m ixx iyy izz)] [(shape ...)] [frames])";

bool is_rotation(TreeFrame::Primitive primitive) { return primitive >= TreeFrame::Primitive::rx; }

/// Reads the parameter after a transform's keyword into the frame.
void take_parameter(Arguments& arguments, std::string_view keyword, TreeFrame& frame) {
  const std::string example = fmt::format("({0} 0.5) or ({0} \"variable\")", lower_case(keyword));
  const auto missing = [&] {
    arguments.problem(frame.source, fmt::format("{} has no parameter; write {}", lower_case(keyword), example));
  };
  if (arguments.at_end()) return missing();
  const SyntaxTree& tree = arguments.tree();
  const NodeId id = arguments.peek();
  const Node& node = tree[id];
  if (node.kind == Node::Kind::number || arguments.at_expression()) {
    frame.constant = arguments.number("parameter").value_or(0);
  } else if (node.kind == Node::Kind::string || node.kind == Node::Kind::symbol) {
    if (node.kind == Node::Kind::symbol && primitive_named(node.text)) return missing();
    frame.variable = arguments.name("variable's name").value_or("");
  } else if (node.kind == Node::Kind::bad) {
    arguments.take();
  } else if (arguments.at_form("d")) {
    Arguments dynamic(tree, arguments.take(), "(D \"variable\")", arguments.notes());
    frame.variable = dynamic.name("variable's name").value_or("");
    dynamic.finish();
  } else if (arguments.at_form("deg")) {
    if (!is_rotation(frame.primitive)) {
      arguments.problem(node.where,
                        fmt::format("{} shifts by a length in metres, so (deg ...) cannot stand here", lower_case(keyword)));
    }
    frame.constant = arguments.angle("angle").value_or(0);
  } else if (arguments.at_form("k") || arguments.at_form("kinematic")) {
    Arguments kinematic(tree, arguments.take(), "(kinematic \"variable\" signal)", arguments.notes());
    frame.variable = kinematic.name("variable's name").value_or("");
    if (!frame.variable.empty()) kinematic.set_subject(fmt::format("kinematic {}", quoted(frame.variable)));
    frame.signal = take_signal(kinematic);
    kinematic.finish();
  } else {
    missing();
  }
}

struct Level {
  NodeId next;  ///< the next child form of a frame
  int parent;   ///< index of that frame
};

/// Reads one form's own frames and options; returns the first of its arguments that may be a child frame.
NodeId read_one(const SyntaxTree& tree, NodeId form, int parent, Notes& notes, std::vector<TreeFrame>& frames) {
  Arguments arguments(tree, form, nested_usage, notes);
  const Node* const head = &tree[tree[form].first];
  const Node* keyword = head;
  while (keyword) {
    TreeFrame& frame = frames.emplace_back();
    frame.parent = parent;
    frame.primitive = *primitive_named(keyword->text);
    frame.source = keyword == head ? tree[form].where : keyword->where;
    arguments.set_subject(lower_case(keyword->text));
    take_parameter(arguments, keyword->text, frame);
    parent = int(frames.size()) - 1;

    keyword = nullptr;
    if (!arguments.at_end() && tree[arguments.peek()].kind == Node::Kind::symbol) {
      const Node& word = tree[arguments.peek()];
      if (primitive_named(word.text)) keyword = &tree[arguments.take()];
    }
  }
  return arguments.at_end() ? none : arguments.peek();
}

/// Reads (name ...), (mass ...) or (shape ...) of a frame.
class FrameOptions {
 public:
  FrameOptions(const SyntaxTree& tree, Notes& notes) : tree_(tree), notes_(notes) {}

  bool is_option(NodeId id) const {
    return tree_.is_form(id, "name") || tree_.is_form(id, "mass") || tree_.is_form(id, "shape");
  }

  void read(NodeId id, TreeFrame& frame) {
    if (tree_.is_form(id, "name")) {
      Arguments arguments(tree_, id, "(name \"...\")", notes_);
      if (!frame.name.empty())
        arguments.problem(fmt::format("the frame already has the name {}; keep one", quoted(frame.name)));
      frame.name = arguments.name("name").value_or(frame.name);
      arguments.finish();
    } else if (tree_.is_form(id, "shape")) {
      Arguments arguments(tree_, id, inner_shape_usage, notes_);
      take_shape(arguments, frame.shapes);
    } else {
      Arguments arguments(tree_, id, "(mass m [ixx iyy izz])", notes_);
      if (frame.mass) arguments.problem("the frame already has a mass; keep one");
      if (const auto mass = take_mass(arguments, frame.as_given)) frame.mass = mass;
      arguments.finish();
    }
  }

 private:
  const SyntaxTree& tree_;
  Notes& notes_;
};

/// Masses on frames that no variable moves are legal, and without effect: worth a word.
void warn_of_fixed_masses(const std::vector<TreeFrame>& frames, std::size_t first, Notes& notes) {
  std::vector<bool> moves(frames.size() - first);
  for (std::size_t i = first; i < frames.size(); ++i) {
    const TreeFrame& frame = frames[i];
    moves[i - first] = !frame.variable.empty() || (frame.parent >= 0 && moves[std::size_t(frame.parent) - first]);
    if (frame.mass && !moves[i - first]) {
      notes.warnings.push_back(
          {fmt::format("the mass of {} has no effect, as no variable moves it",
                       frame.name.empty() ? std::string("this frame") : fmt::format("frame {}", quoted(frame.name))),
           frame.source});
    }
  }
}

}  // namespace

std::optional<TreeFrame::Primitive> primitive_named(std::string_view keyword) {
  static constexpr std::array<std::string_view, 6> names{"tx", "ty", "tz", "rx", "ry", "rz"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (same_keyword(keyword, names[i])) return TreeFrame::Primitive(i);
  }
  return std::nullopt;
}

void take_as_given(Arguments& arguments, bool& as_given) {
  if (arguments.at_form("as-given")) arguments.options({{"as-given", "(as-given)", [&](Arguments&) { as_given = true; }}});
}

std::optional<MassProperties> take_mass(Arguments& arguments, bool& as_given) {
  const auto mass = arguments.number("mass");
  if (!mass) return std::nullopt;
  MassProperties properties = MassProperties::particle(*mass);
  if (arguments.at_end()) return properties;
  const auto ixx = arguments.number("ixx"), iyy = arguments.number("iyy"), izz = arguments.number("izz");
  if (!(ixx && iyy && izz)) return std::nullopt;
  properties.inertia = SymMat3<double>::diagonal({*ixx, *iyy, *izz});
  take_as_given(arguments, as_given);
  return properties;
}

/// An explicit stack instead of recursion: descriptions may be nested thousands deep.
void read_frames(const SyntaxTree& tree, NodeId form, Notes& notes, std::vector<TreeFrame>& frames) {
  FrameOptions options(tree, notes);
  const std::size_t first_frame = frames.size();
  const std::size_t mistakes_before = notes.problems.size();
  std::vector<Level> levels;
  const NodeId children_of_root = read_one(tree, form, -1, notes, frames);
  levels.push_back({children_of_root, int(frames.size()) - 1});
  while (!levels.empty()) {
    const auto [id, parent] = levels.back();
    if (id == none) {
      levels.pop_back();
      continue;
    }
    const Node& node = tree[id];
    levels.back().next = node.next;
    const std::string_view head = tree.head(id);
    if (options.is_option(id)) {
      options.read(id, frames[std::size_t(parent)]);
    } else if (primitive_named(head)) {
      const NodeId children = read_one(tree, id, parent, notes, frames);
      levels.push_back({children, int(frames.size()) - 1});
    } else if (!head.empty()) {
      notes.problems.push_back(
          {fmt::format("there is no {} inside a frame{}", quoted(head),
                       suggestion(std::string(utf8_prefix(lower_case(head), 60)),
                                  {"name", "mass", "shape", "tx", "ty", "tz", "rx", "ry", "rz"}, "forms in a frame")),
           tree[node.first].where});
    } else if (node.kind != Node::Kind::bad) {
      notes.problems.push_back(
          {fmt::format("{} is not expected in a frame; write {}", describe(tree, id), nested_usage), node.where});
    }
  }
  if (notes.problems.size() == mistakes_before) warn_of_fixed_masses(frames, first_frame, notes);
}

}  // namespace polhode::format
