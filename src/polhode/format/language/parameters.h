#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "polhode/format/language/syntax_tree.h"
#include "polhode/format/language/units.h"

/// Named numbers of a model, and arithmetic with them (docs/language.md, "Parameters").
namespace polhode::format {

struct Notes;

/// Values from outside, which replace those that the model declares.
using ParameterValues = std::vector<std::pair<std::string, double>>;

struct Parameter {
  std::string name;
  double value = 0;
};

inline constexpr std::string_view parameter_usage = "(parameter \"name\" value)";

/// The parameters that a system declares, and the value of any expression that may use them.
class Parameters {
 public:
  Parameters(const SyntaxTree& tree, Notes& notes) : tree_(tree), notes_(notes) {}

  /// Reads every (parameter ...) of the system, in whatever order they refer to each other; given ones keep the given value.
  void read(NodeId system, const ParameterValues& given);

  /// True for a bare word or a text that stands for a number: a parameter's name, or pi.
  bool is_value(NodeId word) const;
  /// True for a list that is arithmetic: (+ a b), (sqrt a).
  bool is_operation(NodeId list) const;
  /// The number that a node stands for. What is wrong with it is reported once, for the subject; the caller then gets nothing.
  std::optional<double> evaluate(NodeId id, const std::string& subject) { return evaluate(id, subject, 0); }

  /// The unit that an expression says it has, with the help of (mm 30) and its like; nothing where plain numbers leave it open.
  /// Units that contradict each other inside of it are reported, for the subject.
  std::optional<Dimension> dimension(NodeId id, const std::string& subject) { return dimension(id, subject, 0); }

  /// `; there is no parameter "lenght"; did you mean ...`, for a word that should have been a number; empty without parameters.
  std::string hint(std::string_view word) const;

  void warn_of_unused() const;
  std::vector<Parameter> values() const;

 private:
  enum class Standing { untouched, in_work, known, faulty };
  struct Entry {
    std::string name;
    Source where{};
    NodeId expression = none;
    Standing standing = Standing::untouched;
    double value = 0;
    std::optional<Dimension> dimension{};
    bool used = false;
  };

  void declare(NodeId form);
  void set(const ParameterValues& given);
  std::optional<std::size_t> find(NodeId word) const;
  std::optional<double> evaluate(NodeId id, const std::string& subject, int depth);
  std::optional<double> value_of(Entry& entry, NodeId asked_by, const std::string& subject, int depth);
  std::optional<double> operate(NodeId list, const std::string& subject, int depth);
  std::optional<Dimension> dimension(NodeId id, const std::string& subject, int depth);
  std::vector<std::string> names() const;
  void problem(Source where, const std::string& subject, std::string message);

  const SyntaxTree& tree_;
  Notes& notes_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> by_name_;
};

}  // namespace polhode::format
