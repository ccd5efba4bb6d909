#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "polhode/format/language/source_texts.h"

namespace polhode::format {

enum class Severity { error, warning };

/// Problems as text for people, in the order of their places, the first twenty of them:
///
///   arm.pol:41:8: joint "elbow": axis (0, 0, 0) has no direction; give a nonzero vector, e.g. (axis 0 1 0)
///     (axis 0 0 0)
///     ^
/// The text is the one that the problems' places refer to; a problem without a place has no lines below it. What stands in
/// other texts is followed by how these came to be part of the model; what is wrong in one place of such a text is told once,
/// however often it is used.
std::string render(const std::vector<Problem>& problems, std::string_view text, std::string_view file,
                   Severity severity = Severity::error, const SourceTexts* texts = nullptr);

}  // namespace polhode::format
