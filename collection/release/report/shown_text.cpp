#include "collection/release/report/shown_text.hpp"

#include "common/display_text.hpp"
#include "common/number_text.hpp"
#include "common/unicode.hpp"

namespace touchstone::collection::release::report {

formats::html::Html shown(std::string_view text) {
  return display_lines(text);
}

formats::html::Html shown_excerpt(std::string_view text, std::size_t code_points) {
  const auto end = byte_of_code_point(text, code_points);
  return end == text.size() ? shown(text) : shown(text.substr(0, end)) + "…";
}

std::string counted(std::uint64_t count, std::string_view noun) {
  std::string text = with_commas(count) + " ";
  if (count == 1 || noun == "evidence") return text.append(noun);
  if (noun.ends_with('y')) return text.append(noun.substr(0, noun.size() - 1)).append("ies");
  return text.append(noun).append("s");
}

std::size_t byte_of_code_point(std::string_view text, std::size_t index) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < index && at < text.size(); ++i) next_code_point(text, at);
  return at;
}

}  // namespace touchstone::collection::release::report
