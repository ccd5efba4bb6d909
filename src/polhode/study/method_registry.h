#pragma once
#include <span>
#include <string>
#include <vector>

#include "polhode/state/method.h"

/// All methods of stepping through time. What is offered, recorded, refused or documented about methods and their options is
/// read from here; each method's entry stands beside its stepper.
namespace polhode::study {

/// The default method first.
std::span<const MethodEntry* const> method_registry();

std::vector<std::string> method_names();
/// Null where there is none of that name.
const MethodEntry* find_method(std::string_view name);
/// Throws std::invalid_argument that names the methods there are.
const MethodEntry& method_named(const std::string& name);
/// What that says; empty for a method that there is.
std::string objection_to_method(const std::string& name);

/// The methods that have a feature, as "a", "a or b", "a, b or c".
std::string methods_with(bool MethodFeatures::*feature);
/// The names of the methods that take an option, by its name.
std::vector<std::string> methods_taking(std::string_view option);
/// The names of all options of all methods, each once.
std::vector<std::string> option_names();

/// Everything in a mechanism, or in a state of it, that the method cannot do, with the methods that can.
std::vector<Problem> unsupported_problems(const MethodEntry& method, const Mechanism& mechanism);
std::vector<Problem> unsupported_problems(const MethodEntry& method, const State& state);
/// Throws ModelError if there is any.
void require_supported(const MethodEntry& method, const Mechanism& mechanism);
void require_supported(const MethodEntry& method, const State& state);

}  // namespace polhode::study
