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

/// What messages call a parameter, and how it may be written.
struct ParameterWords {
  std::string name, example;
};

/// Reads the parameter of a transform into the frame.
void take_parameter(Arguments& arguments, const ParameterWords& words, TreeFrame& frame) {
  const auto missing = [&] {
    arguments.problem(frame.source, fmt::format("{} has no parameter; write {}", words.name, words.example));
  };
  if (arguments.at_end()) return missing();
  const SyntaxTree& tree = arguments.tree();
  const NodeId id = arguments.peek();
  const Node& node = tree[id];
  if (node.kind == Node::Kind::number || arguments.at_expression()) {
    frame.constant = arguments.number("parameter", is_rotation(frame.primitive) ? "rad" : "m").value_or(0);
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
      arguments.problem(node.where, fmt::format("{} shifts by a length in metres, so (deg ...) cannot stand here", words.name));
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

bool is_link_form(std::string_view keyword) { return same_keyword(keyword, "dh") || same_keyword(keyword, "mdh"); }

/// A joint's variable, perhaps with the value that it is counted from: ("q" offset).
void take_link_variable(Arguments& arguments, const char* name, TreeFrame& variable, TreeFrame& offset) {
  const ParameterWords words{name, fmt::format("a number, \"variable\" or (\"variable\" offset) for {}", name)};
  const bool has_offset = arguments.at_list() && arguments.tree().head(arguments.peek()).empty();
  if (!has_offset) return take_parameter(arguments, words, variable);
  Arguments inner(arguments.tree(), arguments.take(), "(\"variable\" offset)", arguments.notes(), Arguments::Head::nothing);
  inner.set_subject(arguments.subject());
  variable.variable = inner.name("variable's name").value_or("");
  const bool turns = is_rotation(variable.primitive);
  offset.constant = (turns ? inner.angle("offset", "rad") : inner.number("offset", "m")).value_or(0);
  inner.finish();
}

/// (dh a alpha d theta): from a link's frame to that of the next one (Denavit & Hartenberg 1955), a turn by theta about z and
/// a shift by d along it, then a shift by a along x and a turn by alpha about it. (mdh a alpha d theta): those along x first
/// (Craig 1986). Constants that are zero make no frame.
NodeId read_link(const SyntaxTree& tree, NodeId form, int parent, Notes& notes, std::vector<TreeFrame>& frames) {
  using P = TreeFrame::Primitive;
  const bool modified = tree.is_form(form, "mdh");
  Arguments arguments(tree, form,
                      modified ? "(mdh a alpha d theta [(name ...)] [(mass ...)] [frames])"
                               : "(dh a alpha d theta [(name ...)] [(mass ...)] [frames])",
                      notes);
  const auto frame = [&](P primitive) { return TreeFrame{.primitive = primitive, .source = tree[form].where}; };
  TreeFrame a = frame(P::tx), alpha = frame(P::rx), d = frame(P::tz), d_offset = d, theta = frame(P::rz), theta_offset = theta;
  a.constant = arguments.number("a", "m").value_or(0);
  alpha.constant = arguments.angle("alpha", "rad").value_or(0);
  take_link_variable(arguments, "d", d, d_offset);
  take_link_variable(arguments, "theta", theta, theta_offset);
  std::vector<TreeFrame> along_x{std::move(a), std::move(alpha)};
  std::vector<TreeFrame> run{std::move(theta_offset), std::move(theta), std::move(d_offset), std::move(d)};
  run.insert(modified ? run.begin() : run.end(), along_x.begin(), along_x.end());
  std::erase_if(run, [](const TreeFrame& f) { return f.variable.empty() && f.constant == 0; });
  if (run.empty()) run.push_back(frame(P::tz));
  for (TreeFrame& each : run) {
    each.parent = parent;
    parent = int(frames.size());
    frames.push_back(std::move(each));
  }
  return arguments.at_end() ? none : arguments.peek();
}

/// Reads one form's own frames and options; returns the first of its arguments that may be a child frame.
NodeId read_one(const SyntaxTree& tree, NodeId form, int parent, Notes& notes, std::vector<TreeFrame>& frames) {
  if (is_link_form(tree.head(form))) return read_link(tree, form, parent, notes, frames);
  Arguments arguments(tree, form, nested_usage, notes);
  const Node* const head = &tree[tree[form].first];
  const Node* keyword = head;
  while (keyword) {
    TreeFrame& frame = frames.emplace_back();
    frame.parent = parent;
    frame.primitive = *primitive_named(keyword->text);
    frame.source = keyword == head ? tree[form].where : keyword->where;
    arguments.set_subject(lower_case(keyword->text));
    const std::string word = lower_case(keyword->text);
    take_parameter(arguments, {word, fmt::format("({0} 0.5) or ({0} \"variable\")", word)}, frame);
    parent = int(frames.size()) - 1;

    keyword = nullptr;
    if (!arguments.at_end() && tree[arguments.peek()].kind == Node::Kind::symbol) {
      const Node& after = tree[arguments.peek()];
      if (primitive_named(after.text)) keyword = &tree[arguments.take()];
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

bool is_frame_form(std::string_view keyword) { return primitive_named(keyword) || is_link_form(keyword); }

void take_as_given(Arguments& arguments, bool& as_given) {
  if (arguments.at_form("as-given")) arguments.options({{"as-given", "(as-given)", [&](Arguments&) { as_given = true; }}});
}

std::optional<MassProperties> take_mass(Arguments& arguments, bool& as_given) {
  const auto mass = arguments.number("mass", "kg");
  if (!mass) return std::nullopt;
  MassProperties properties = MassProperties::particle(*mass);
  if (arguments.at_end()) return properties;
  const auto ixx = arguments.number("ixx", "kg m^2"), iyy = arguments.number("iyy", "kg m^2"),
             izz = arguments.number("izz", "kg m^2");
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
    } else if (is_frame_form(head)) {
      const NodeId children = read_one(tree, id, parent, notes, frames);
      levels.push_back({children, int(frames.size()) - 1});
    } else if (!head.empty()) {
      notes.problems.push_back(
          {fmt::format(
               "there is no {} inside a frame{}", quoted(head),
               suggestion(std::string(utf8_prefix(lower_case(head), 60)),
                          {"name", "mass", "shape", "tx", "ty", "tz", "rx", "ry", "rz", "dh", "mdh"}, "forms in a frame")),
           tree[node.first].where});
    } else if (node.kind != Node::Kind::bad) {
      notes.problems.push_back(
          {fmt::format("{} is not expected in a frame; write {}", describe(tree, id), nested_usage), node.where});
    }
  }
  if (notes.problems.size() == mistakes_before) warn_of_fixed_masses(frames, first_frame, notes);
}

}  // namespace polhode::format
