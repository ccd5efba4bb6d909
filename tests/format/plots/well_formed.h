#pragma once
#include <cctype>
#include <string>
#include <vector>

/// What every page that we write must be.
namespace polhode::test {

/// The first tag that is not closed, or closes what is not open; empty when all is well. Attributes must be quoted, and every
/// element without content must end in "/>".
inline std::string unclosed_tag(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at)) {
    if (text.compare(at, 2, "<!") == 0 || text.compare(at, 2, "<?") == 0) {
      at = text.find('>', at);
      continue;
    }
    std::size_t end = at + 1;
    bool quoted = false;
    while (end < text.size() && (quoted || text[end] != '>')) {
      if (text[end] == '"') quoted = !quoted;
      if (text[end] == '<') return "a < within " + text.substr(at, 40);
      ++end;
    }
    if (end == text.size()) return "no end of " + text.substr(at, 40);
    const std::string tag = text.substr(at + 1, end - at - 1);
    const bool closes = tag.starts_with('/'), alone = tag.ends_with('/');
    std::size_t length = closes ? 1 : 0;
    while (length < tag.size() && (std::isalnum(static_cast<unsigned char>(tag[length])) != 0)) ++length;
    const std::string name = tag.substr(closes ? 1 : 0, length - (closes ? 1 : 0));
    if (name.empty()) return "no name in <" + tag + ">";
    if (closes) {
      if (open.empty() || open.back() != name) return "</" + name + "> closes " + (open.empty() ? "nothing" : open.back());
      open.pop_back();
    } else if (!alone) {
      open.push_back(name);
    }
    at = end;
  }
  return open.empty() ? "" : open.back() + " is left open";
}

/// Something that a browser would fetch or run; empty when there is nothing.
inline std::string outside_reference(const std::string& text) {
  for (const char* word : {"<script", "src=", "href=", "@import", "url(", "<link", "<iframe", "<object", "onload"})
    if (text.find(word) != std::string::npos) return word;
  return {};
}

}  // namespace polhode::test
