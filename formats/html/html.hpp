#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

/// Building HTML and inline SVG. Text and attribute values are escaped wherever they come from; markup is told from
/// text by its type. So a title of a wiki cannot become an element.
namespace touchstone::formats::html {

/// `&`, `<`, `>` and both quotes escaped, for text between tags and in quoted attributes.
std::string escape(std::string_view text);

/// A piece of markup: elements and escaped text. Text converts to it by being escaped, so that what takes Html takes
/// text as well: `element("td", {{"class", "n"}}, "a < b")` gives `<td class="n">a &lt; b</td>`.
class Html {
 public:
  Html() = default;
  Html(std::string_view text) : markup_(escape(text)) {}
  Html(const std::string& text) : Html(std::string_view(text)) {}
  Html(const char* text) : Html(std::string_view(text)) {}

  Html& operator+=(const Html& other) {
    markup_ += other.markup_;
    return *this;
  }
  friend Html operator+(Html left, const Html& right) {
    left += right;
    return left;
  }

  bool empty() const noexcept { return markup_.empty(); }
  const std::string& markup() const& noexcept { return markup_; }
  std::string markup() && noexcept { return std::move(markup_); }

 private:
  struct AsMarkup {};
  Html(AsMarkup, std::string markup) : markup_(std::move(markup)) {}
  friend Html raw(std::string markup);

  std::string markup_;
};

/// Markup of our own, taken as it is: never for a text that comes from outside.
Html raw(std::string markup);

/// `name="value"`, the value escaped.
struct Attribute {
  std::string_view name;
  std::string value;
};
using Attributes = std::initializer_list<Attribute>;

/// `<name attributes>content</name>`. Names of elements and attributes are ours and not checked.
Html element(std::string_view name, Attributes attributes, const Html& content);

/// The same with several pieces of content, one after the other.
template <class... More>
Html element(std::string_view name, Attributes attributes, const Html& first, const Html& second, const More&... more) {
  Html content = first;
  content += second;
  ((content += Html(more)), ...);
  return element(name, attributes, content);
}

/// An element that never has content: `<name attributes/>`, as SVG wants it and HTML allows it.
Html empty_element(std::string_view name, Attributes attributes);

/// JSON as the content of a script element: no `<`, `>` or `&` is left in it, so that no text can end the element.
/// \param json  valid JSON, in which these characters are in strings only
Html script_json(std::string_view json);

/// Replaces every `{{name}}` of a page of ours by its value. Values are not searched for names. TS_CHECKs that every
/// name is known.
std::string fill(std::string_view page, const std::map<std::string_view, Html>& values);

}  // namespace touchstone::formats::html
