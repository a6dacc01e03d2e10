#include "extractors/internal/rule_renderer.hpp"

#include "extractors/internal/text_scan.hpp"

namespace touchstone::extractors::internal {

bool render_by_rule(Expander&, std::string_view name, const CallArguments& arguments, ExpandedText& out) {
  const auto link = [&](const std::string& target, const std::string& text) {
    const std::size_t begin = out.text.size();
    out.text.append("[[").append(target).append("|").append(text).append("]]");
    out.made.push_back({begin, out.text.size()});
    return true;
  };
  if (name == "Ill" || name == "Interlanguage link") {
    const auto target = arguments.get("1");
    if (!target || trim(*target).empty()) return false;
    const auto text = arguments.get("lt");
    const std::string title(trim(*target));
    return link(title, text && !trim(*text).empty() ? std::string(trim(*text)) : title);
  }
  if (name == "Sortname") {
    const auto first = arguments.get("1");
    const auto last = arguments.get("2");
    if (!first || !last) return false;
    const std::string shown = std::string(trim(*first)) + " " + std::string(trim(*last));
    if (arguments.has("nolink")) {
      out.text.append(shown);
      return true;
    }
    const auto target = arguments.get("3");
    return link(target && !trim(*target).empty() ? std::string(trim(*target)) : shown, shown);
  }
  return false;
}

}  // namespace touchstone::extractors::internal
