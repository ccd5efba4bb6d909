#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/mechanism/law.h"

/// The words of laws, which reader and writer share.
namespace polhode::format {

/// Of an operation of laws the word that arithmetic has for it; empty where it has none.
std::string_view word_of(Law::Code code);
/// The operation of that word of arithmetic; not of `deg`, which is a product.
std::optional<Law::Code> code_of(std::string_view word);

/// The form that says what a name is: coordinate, speed, input, state, discrete.
std::string_view word_of(Law::Kind kind);
std::optional<Law::Kind> law_kind_named(std::string_view word);

/// Whether a form of this head can only be a law.
bool is_law_word(std::string_view head);
/// All that may head a list in a law.
std::vector<std::string> words_of_laws();

}  // namespace polhode::format
