#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "polhode/mechanism/resolver.h"

namespace polhode {

/// The mistakes that were found so far.
class Problems {
 public:
  explicit Problems(std::vector<Problem> found) : all_(std::move(found)) {}

  bool none() const { return all_.empty(); }
  std::size_t count() const { return all_.size(); }
  std::vector<Problem>& all() { return all_; }

  void note(Problem problem) { all_.push_back(std::move(problem)); }
  void note(std::string message, const Source& where) { all_.push_back({std::move(message), where, {}, {}}); }
  void duplicate(const std::string& what, const Source& where, const Source& first);
  /// What may have been meant, to follow a message. The list of valid names is asked for only when it will be shown: making it
  /// takes as long as the model is large.
  std::string hint(const std::string& asked, const std::function<std::vector<std::string>()>& valid, const char* kind) const;
  /// Stops at once when mistakes are so many that they are one mistake of a generator, not many of a person.
  void give_up_when_hopeless();
  void throw_if_any();

 private:
  std::vector<Problem> all_;
};

/// A part of the resolver: what every one of them has at hand.
class ResolverPart {
 public:
  ResolverPart(const MechanismBuilder& in, MechanismResolver::Data& out, Problems& problems)
      : in_(in), out_(out), problems_(problems) {}

 protected:
  void problem(std::string message, const Source& where) { problems_.note(std::move(message), where); }

  const MechanismBuilder& in_;    ///< the description
  MechanismResolver::Data& out_;  ///< what is being made of it
  Problems& problems_;
};

// A name that stands for nothing in the tree, though the user wrote it. What refers to it is not a mistake of its own.
inline constexpr int broken = -1, closes_loop = -2;

}  // namespace polhode
