#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "polhode/format/language/model.h"
#include "polhode/format/language/reader.h"
#include "polhode/format/language/writer.h"

/// Short words for what tests of the language do all the time.
namespace polhode::format {

struct Reading {
  MechanismBuilder builder;
  std::vector<Problem> problems, warnings;
};
inline Reading reading_of(const std::string& text) {
  Reading r;
  r.builder = read_description(text, r.problems, r.warnings);
  return r;
}
/// The builder of a text that must be free of mistakes.
inline MechanismBuilder sound(const std::string& text) {
  Reading r = reading_of(text);
  for (const Problem& problem : r.problems) {
    ADD_FAILURE() << problem.where.line << ":" << problem.where.column << ": " << problem.message << "\nin " << text;
  }
  return r.builder;
}
/// What a user sees when the text is no model; empty when it is one.
inline std::string error_of(const std::string& text) {
  try {
    read_model(text, "m.pol");
  } catch (const ModelFileError& error) {
    return error.what();
  }
  return {};
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace polhode::format
