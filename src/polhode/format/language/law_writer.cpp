#include "polhode/format/language/law_writer.h"

#include <fmt/format.h>

#include <stdexcept>

#include "polhode/format/language/law_words.h"
#include "polhode/format/language/limits.h"

namespace polhode::format {
namespace {

using Code = Law::Code;

/// Operations that take any number of operands, from left to right.
bool takes_many(Code code) {
  return code == Code::add || code == Code::subtract || code == Code::multiply || code == Code::divide ||
         code == Code::minimum || code == Code::maximum;
}

class LawWriter {
 public:
  LawWriter(const Law& law, const LawTexts& texts) : law_(law), texts_(texts) {}

  std::string text(int id, int depth) {
    if (depth > max_expression_depth) throw std::length_error("is nested too deep for a model's text");
    if (++written_ > most_written) throw std::length_error("is too long for a model's text");
    const Law::Operation& o = law_.operations()[std::size_t(id)];
    const auto operand = [&](int k) { return text(o.operand[std::size_t(k)], depth + 1); };
    switch (o.code) {
      case Code::constant: return texts_.number(o.value);
      case Code::time: return "time";
      case Code::read: return read(law_.reads()[std::size_t(o.operand[0])]);
      case Code::signal: return texts_.signal(law_.signals()[std::size_t(o.operand[0])]);
      case Code::lookup: return lookup(operand(0), law_.tables()[std::size_t(o.operand[1])]);
      case Code::if_less:
        return fmt::format("(if (< {} {}) {} {})", text(o.operand[0], depth + 2), text(o.operand[1], depth + 2), operand(2),
                           operand(3));
      default: return fmt::format("({}{})", word_of(o.code), operands(o, depth));
    }
  }

 private:
  static constexpr int most_written = 20'000;

  std::string read(const Law::Read& read) {
    if (read.kind == Law::Kind::any) return texts_.name(read.name);
    return fmt::format("({} {})", word_of(read.kind), texts_.name(read.name));
  }
  std::string lookup(const std::string& argument, const Law::Table& table) {
    std::string points;
    for (std::size_t i = 0; i < table.x.size(); ++i)
      points += fmt::format(" ({} {})", texts_.number(table.x[i]), texts_.number(table.y[i]));
    return fmt::format("(lookup {}{}{})", argument, points, table.joining == TableCurve::Joining::linear ? " (linear)" : "");
  }
  /// (+ (+ a b) c) is (+ a b c).
  std::string operands(const Law::Operation& o, int depth) {
    std::vector<int> chain;
    const Law::Operation* at = &o;
    if (takes_many(o.code)) {
      for (;;) {
        chain.push_back(at->operand[1]);
        const Law::Operation& left = law_.operations()[std::size_t(at->operand[0])];
        if (left.code != o.code) break;
        at = &left;
      }
      chain.push_back(at->operand[0]);
    } else {
      if (o.operand[1] >= 0) chain.push_back(o.operand[1]);
      chain.push_back(o.operand[0]);
    }
    std::string all;
    for (std::size_t i = chain.size(); i-- > 0;) all += " " + text(chain[i], depth + 1);
    return all;
  }

  const Law& law_;
  const LawTexts& texts_;
  int written_ = 0;
};

}  // namespace

std::string law_text(const Law& law, const LawTexts& texts) {
  return LawWriter(law, texts).text(int(law.operations().size()) - 1, 0);
}

}  // namespace polhode::format
