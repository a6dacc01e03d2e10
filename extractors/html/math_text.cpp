#include "extractors/html/math_text.hpp"

#include "common/unicode.hpp"
#include "extractors/html/page_builder.hpp"
#include "extractors/html/xml_tree.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unicode/uchar.h>

namespace touchstone::extractors::html {
namespace {

using namespace std::string_view_literals;

/// Operators between two terms, which have a blank on both sides.
constexpr std::array kBetween = {"="sv,  "≠"sv, "<"sv, ">"sv, "≤"sv, "≥"sv, "≈"sv, "≡"sv, "∼"sv, "≃"sv, "≅"sv, "∝"sv,
                                 "∈"sv,  "∉"sv, "⊂"sv, "⊃"sv, "⊆"sv, "⊇"sv, "+"sv, "-"sv, "−"sv, "±"sv, "∓"sv, "×"sv,
                                 "÷"sv,  "∪"sv, "∩"sv, "∧"sv, "∨"sv, "→"sv, "←"sv, "↔"sv, "⇒"sv, "⇔"sv, "⊢"sv, "⊨"sv,
                                 ":="sv, "∖"sv, "⊕"sv, "⊗"sv, "⟶"sv, "⟹"sv, "↦"sv, "≪"sv, "≫"sv};

/// Elements of content MathML that are written between their arguments.
constexpr std::array<std::pair<std::string_view, std::string_view>, 22> kInfix = {
    {{"plus", " + "},    {"minus", " − "},  {"times", " × "},      {"divide", "/"}, {"power", "^"},
     {"eq", " = "},      {"neq", " ≠ "},    {"lt", " < "},         {"gt", " > "},   {"leq", " ≤ "},
     {"geq", " ≥ "},     {"approx", " ≈ "}, {"equivalent", " ≡ "}, {"in", " ∈ "},   {"notin", " ∉ "},
     {"subset", " ⊆ "},  {"union", " ∪ "},  {"intersect", " ∩ "},  {"and", " ∧ "},  {"or", " ∨ "},
     {"implies", " ⇒ "}, {"tendsto", " → "}}};

constexpr std::string_view kPrimes = "′″‴'*°†";
constexpr std::string_view kAccents = "¯‾^ˆ→⃗~˜˙¨´`ˇ˘_⏞⏟⎴⎵";

std::vector<const xmlNode*> elements_of(const xmlNode* node) {
  std::vector<const xmlNode*> elements;
  for (const auto* child = node->children; child != nullptr; child = child->next) {
    const auto name = element_name(child);
    if (!name.empty() && name != "annotation" && name != "annotation-xml" && name != "mprescripts" && name != "none") {
      elements.push_back(child);
    }
  }
  return elements;
}

/// The code points at the end and the beginning of a text.
char32_t last_of(std::string_view text) {
  auto at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xC0) == 0x80) {
  }
  return text.empty() ? 0 : next_code_point(text, at);
}
char32_t first_of(std::string_view text) {
  std::size_t at = 0;
  return text.empty() ? 0 : next_code_point(text, at);
}

bool is_word(char32_t c) {
  return c != 0 && u_isalnum(static_cast<UChar32>(c)) != 0;
}

bool consists_of(std::string_view text, std::string_view signs) {
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = at;
    next_code_point(text, at);
    if (signs.find(text.substr(begin, at - begin)) == std::string_view::npos) return false;
  }
  return !text.empty();
}

/// Whether a term needs no parentheses: one word or number, or what has them already.
bool is_simple(std::string_view term) {
  if (term.starts_with('(') && term.find(')') == term.size() - 1) return true;
  for (std::size_t at = 0; at < term.size();) {
    const auto c = next_code_point(term, at);
    if (!is_word(c) && c != '.' && c != U'∞' && c != U'′') return false;
  }
  return true;
}

std::string grouped(std::string term) {
  return is_simple(term) ? std::move(term) : fmt::format("({})", term);
}

class Formula {
 public:
  static std::string of(const xmlNode* node, int depth) {
    if (depth > kMaxDepth) return {};
    const auto name = element_name(node);
    const auto parts = elements_of(node);
    const auto part = [&](std::size_t i) { return i < parts.size() ? of(parts[i], depth + 1) : std::string(); };
    if (name == "mphantom") return {};
    if (name == "mspace") return " ";
    if (name == "cn" && parts.size() == 1) return both_sides_of(node);
    if (parts.empty()) return token(node);
    if (name == "semantics" || name == "maction") return part(0);
    if (name == "mfrac") {
      if (attribute(node, "linethickness").starts_with('0')) return fmt::format("({} choose {})", part(0), part(1));
      return fmt::format("{}/{}", grouped(part(0)), grouped(part(1)));
    }
    if (name == "msqrt") return "√" + grouped(row(parts, depth));
    if (name == "mroot") return fmt::format("{}^(1/{})", grouped(part(0)), grouped(part(1)));
    if (name == "msup" || name == "mover") return scripted(part(0), "", part(1));
    if (name == "msub" || name == "munder") return scripted(part(0), part(1), "");
    if (name == "msubsup" || name == "munderover") return scripted(part(0), part(1), part(2));
    if (name == "mtable") return joined(parts, 0, "; ", depth);
    if (name == "mtr" || name == "mlabeledtr") return joined(parts, 0, ", ", depth);
    if (name == "mfenced") return fenced(node, parts, depth);
    if (name == "apply") return applied(parts, depth);
    return row(parts, depth);
  }

 private:
  static std::string token(const xmlNode* node) {
    auto text = text_below(node);
    // Invisible signs: application, times, separator, plus.
    for (const std::string_view sign : {"\u2061", "\u2062", "\u2063", "\u2064"}) {
      for (std::size_t at = 0; (at = text.find(sign, at)) != std::string::npos;) text.erase(at, sign.size());
    }
    if (text.empty() && element_name(node) == "mo") return {};
    if (element_name(node) == "mtext") return " " + text + " ";
    return text;
  }

  /// <cn type="rational">1<sep/>2</cn>
  static std::string both_sides_of(const xmlNode* node) {
    std::string text;
    for (const auto* child = node->children; child != nullptr; child = child->next) {
      if (const char* written = text_of(child)) {
        text += written;
      } else if (element_name(child) == "sep") {
        text += '/';
      }
    }
    return text;
  }

  static std::string row(const std::vector<const xmlNode*>& parts, int depth) {
    std::string line;
    bool expects_term = true, after_name = false;
    for (const auto* node : parts) {
      const auto text = of(node, depth + 1);
      if (text.empty()) continue;
      const bool is_operator = element_name(node) == "mo";
      // Names of several letters, such as functions and units, are words.
      const bool is_name = element_name(node) == "mi" && count_code_points(text) > 1;
      const bool is_between = is_operator && std::find(kBetween.begin(), kBetween.end(), text) != kBetween.end();
      if (is_between && !expects_term) {
        line += fmt::format(" {} ", text);
      } else if (is_operator && (text == "," || text == ";")) {
        line += text + " ";
      } else {
        if ((is_name || after_name) && is_word(last_of(line)) && is_word(first_of(text))) line += ' ';
        line += text;
      }
      const bool opens = text == "(" || text == "[" || text == "{" || text == "," || text == ";";
      expects_term = is_between || (is_operator && opens);
      after_name = is_name;
    }
    return line;
  }

  static std::string joined(const std::vector<const xmlNode*>& parts, std::size_t first, std::string_view between,
                            int depth) {
    std::string line;
    for (std::size_t i = first; i < parts.size(); ++i) {
      line += fmt::format("{}{}", i > first ? between : "", of(parts[i], depth + 1));
    }
    return line;
  }

  static std::string fenced(const xmlNode* node, const std::vector<const xmlNode*>& parts, int depth) {
    const auto written = [&](const char* name, const char* otherwise) {
      auto text = attribute(node, name);
      return text.empty() ? std::string(otherwise) : text;
    };
    return written("open", "(") + joined(parts, 0, ", ", depth) + written("close", ")");
  }

  static std::string scripted(const std::string& base, const std::string& below, const std::string& above) {
    auto text = base;
    if (!below.empty() && !consists_of(below, kAccents)) text += "_" + grouped(below);
    if (consists_of(above, kPrimes)) return text + above;
    if (!above.empty() && !consists_of(above, kAccents)) text += "^" + grouped(above);
    // What a sum or a limit is over, and what it is of.
    const bool is_large = base == "lim" || base == "max" || base == "min" || consists_of(base, "∑∏∫⋃⋂∮");
    return is_large ? text + " " : text;
  }

  static std::string applied(const std::vector<const xmlNode*>& parts, int depth) {
    const auto name = element_name(parts.front());
    for (const auto& [element, sign] : kInfix) {
      if (element != name) continue;
      if (parts.size() == 2) return name == "minus" ? "−" + grouped(of(parts[1], depth + 1)) : of(parts[1], depth + 1);
      std::string line;
      for (std::size_t i = 1; i < parts.size(); ++i) {
        auto term = of(parts[i], depth + 1);
        const bool is_sum = sign.starts_with(" ") && name != "times" && name != "minus";
        line += fmt::format("{}{}", i > 1 ? sign : "", is_sum ? term : grouped(std::move(term)));
      }
      return line;
    }
    if (name == "root") return "√" + grouped(of(parts.back(), depth + 1));
    auto function = of(parts.front(), depth + 1);
    return fmt::format("{}({})", function.empty() ? std::string(name) : function, joined(parts, 1, ", ", depth));
  }
};

}  // namespace

std::string math_text(const xmlNode* math) {
  InlineText folded;
  folded.append(Formula::of(math, 0));
  return folded.take().text;
}

std::string formula_of(const xmlNode* element) {
  const auto name = element_name(element);
  if (name == "math") return math_text(element);
  if ((name == "span" || name == "div") && has_class(element, "mwe-math-element")) {
    const auto* math = find_element(element, "math");
    return math != nullptr ? math_text(math) : formula_of(find_element(element, "img"));
  }
  if (name != "img") return {};
  if (attribute(element, "class").find("mwe-math-fallback-image") == std::string::npos && !has_class(element, "tex")) {
    return {};
  }
  auto tex = attribute(element, "alt");
  constexpr std::string_view kDisplay = "{\\displaystyle ";
  if (tex.starts_with(kDisplay) && tex.ends_with('}')) {
    tex = tex.substr(kDisplay.size(), tex.size() - kDisplay.size() - 1);
  }
  return tex;
}

}  // namespace touchstone::extractors::html
