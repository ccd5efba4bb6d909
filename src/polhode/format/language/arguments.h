#pragma once
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/format/language/model_file.h"
#include "polhode/format/language/syntax_tree.h"
#include "polhode/mechanism/shape.h"
#include "polhode/spatial/vec3.h"

namespace polhode::format {

class Parameters;

/// Where the reader writes down what it found wrong or odd.
struct Notes {
  std::vector<Problem>& problems;
  std::vector<Problem>& warnings;
  std::optional<std::string> folder{};  ///< where files that a model names are; a model without one may name none
  Parameters* parameters = nullptr;     ///< named numbers, and arithmetic
  std::map<std::string, std::shared_ptr<const TriangleMesh>> meshes{};  ///< files that were read already, by name
  const std::vector<ModelFile>* given_files = nullptr;                  ///< instead of a folder
  std::vector<ModelFile>* read_files = nullptr;                         ///< gets those that the model names

  bool may_name_files() const { return folder || given_files; }
  /// The text of a file that the model names. Throws std::runtime_error when it cannot be read.
  std::string text_of_file(const std::string& name);
};

class Arguments;

/// One of the forms that may follow the plain arguments of another: (mass ...), (axis ...).
struct Option {
  std::string_view keyword, usage;
  std::function<void(Arguments&)> read;
  bool repeats = false;  ///< may be given more than once
};

/// The arguments of one form, taken from left to right. What is missing, of the wrong kind or too much is reported once, in
/// terms of the form's usage line, and reading goes on; the caller gets nothing for such an argument.
class Arguments {
 public:
  enum class Head { keyword, nothing };

  /// usage is what the form should look like, e.g. "(gravity x y z)"; it must outlive this object.
  Arguments(const SyntaxTree& tree, NodeId form, std::string_view usage, Notes& notes, Head head = Head::keyword);

  const SyntaxTree& tree() const { return tree_; }
  Notes& notes() const { return notes_; }
  Source where() const { return tree_[form_].where; }
  std::string_view usage() const { return usage_; }

  /// What messages call the form; its keyword unless told otherwise, e.g. `joint "elbow"`.
  void set_subject(std::string subject) { subject_ = std::move(subject); }
  const std::string& subject() const { return subject_; }

  bool at_end() const { return next_ == none; }
  /// A list that is not arithmetic, which stands for a number.
  bool at_list() const;
  /// A list that begins with a value and not with a keyword: (0 1), (start 1) where `start` is a parameter.
  bool at_group() const;
  /// Arithmetic, or a bare word that is a parameter's name or pi.
  bool at_expression() const;
  bool at_form(std::string_view keyword) const { return next_ != none && tree_.is_form(next_, keyword); }
  NodeId peek() const { return next_; }
  NodeId take();

  /// A number, a parameter's name, or arithmetic with them. Where these say a unit, it must be the one given, or one of those
  /// given with commas between; without one, any will do.
  std::optional<double> number(const char* what, std::string_view unit = {});
  /// A number of radians, or (deg number).
  std::optional<double> angle(const char* what, std::string_view unit = {});
  std::optional<Vec3<double>> vector(std::string_view unit = {});
  /// Three angles.
  std::optional<Vec3<double>> angles(const char* x, const char* y, const char* z, std::string_view unit = "rad");
  /// A name, in quotes or bare; `ground` in any case is Ground's.
  std::optional<std::string> name(const char* what);
  std::optional<std::string> free_text(const char* what);

  /// Takes every argument that is left as one of these options, each at most once unless it repeats.
  void options(const std::vector<Option>& options);
  /// Reports anything that is left.
  void finish();

  /// Reports `subject: message`, at the form or at a given place.
  void problem(std::string message) { problem(where(), std::move(message)); }
  void problem(Source place, std::string message);

 private:
  std::optional<double> evaluate(NodeId id, const char* what, std::string_view unit);
  const Node* expect(const char* what, std::initializer_list<Node::Kind> kinds, const char* kind_in_words);

  const SyntaxTree& tree_;
  NodeId form_;
  std::string_view usage_;
  Notes& notes_;
  NodeId next_;
  std::string subject_;
  bool told_missing_ = false;
};

/// A node in a few words for a message: `the text "J"`, `the number 3`, `a (tx ...) form`.
std::string describe(const SyntaxTree& tree, NodeId id);

}  // namespace polhode::format
