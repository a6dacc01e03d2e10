#include "formats/html/html.hpp"

#include "common/error.hpp"
#include "formats/fields/one_line.hpp"

namespace touchstone::formats::html {
namespace {

std::string start_tag(std::string_view name, Attributes attributes) {
  std::string tag = "<";
  tag += name;
  for (const auto& attribute : attributes) {
    tag += ' ';
    tag += attribute.name;
    tag += "=\"";
    tag += escape(attribute.value);
    tag += '"';
  }
  return tag;
}

}  // namespace

std::string escape(std::string_view text) {
  static constexpr std::pair<char, std::string_view> kEntities[] = {
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  return fields::replace_characters(text, kEntities);
}

Html raw(std::string markup) {
  return {Html::AsMarkup{}, std::move(markup)};
}

Html element(std::string_view name, Attributes attributes, const Html& content) {
  std::string markup = start_tag(name, attributes);
  markup += '>';
  markup += content.markup();
  markup += "</";
  markup += name;
  markup += '>';
  return raw(std::move(markup));
}

Html empty_element(std::string_view name, Attributes attributes) {
  return raw(start_tag(name, attributes) + "/>");
}

Html script_json(std::string_view json) {
  static constexpr std::pair<char, std::string_view> kEscapes[] = {
      {'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}};
  return raw(fields::replace_characters(json, kEscapes));
}

std::string fill(std::string_view page, const std::map<std::string_view, Html>& values) {
  std::string out;
  for (;;) {
    const auto open = page.find("{{");
    out += page.substr(0, open);
    if (open == std::string_view::npos) return out;
    const auto close = page.find("}}", open);
    TS_CHECK(close != std::string_view::npos, "a page closes its placeholders");
    const auto value = values.find(page.substr(open + 2, close - open - 2));
    TS_CHECK(value != values.end(), "a page uses known placeholders");
    out += value->second.markup();
    page.remove_prefix(close + 2);
  }
}

}  // namespace touchstone::formats::html
