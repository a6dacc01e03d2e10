#include "extractors/markup/tqa.hpp"

#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::extractors::markup {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kLead = "Introduction";
constexpr std::string_view kVocabulary = "Vocabulary";

std::string text_of(const Json& object, std::string_view name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? repair_utf8(found->get<std::string>()) : std::string();
}

/// A member that is an object; null where there is none.
const Json* object_in(const Json& object, std::string_view name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

/// The number in an id such as "T_0017"; large where there is none.
std::uint64_t number_of(std::string_view id) {
  const auto begin = id.find_first_of("0123456789");
  if (begin == std::string_view::npos) return UINT64_MAX;
  std::uint64_t number = 0;
  for (const char c : id.substr(begin, 18)) {
    if (c < '0' || c > '9') break;
    number = number * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

void append_element(std::string& html, std::string_view name, std::string_view text) {
  html += fmt::format("<{}>", name);
  append_escaped(html, text);
  html += fmt::format("</{}>\n", name);
}

/// A section of a lesson: number for its place, heading and content.
struct Part {
  std::uint64_t number = 0;
  std::string heading;
  const Json* content = nullptr;
};

void append_content(std::string& html, const Json& content) {
  // A blank line between paragraphs is all the structure that the texts have.
  auto text = text_of(content, "text");
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find("\n\n", begin), text.size());
    append_element(html, "p", std::string_view(text).substr(begin, end - begin));
    begin = end + 2;
  }
  const auto figures = content.find("figures");
  if (figures == content.end() || !figures->is_array()) return;
  for (const auto& figure : *figures) {
    if (!figure.is_object()) continue;
    html += "<figure><img src=\"";
    append_escaped(html, text_of(figure, "imagePath"));
    html += "\"/>";
    append_element(html, "figcaption", text_of(figure, "caption"));
    html += "</figure>\n";
  }
}

void append_vocabulary(std::string& html, const Json& terms) {
  append_element(html, "h2", kVocabulary);
  html += "<dl>\n";
  for (const auto& [term, definition] : terms.items()) {
    append_element(html, "dt", repair_utf8(term));
    if (definition.is_string() && !definition.get<std::string>().empty()) {
      append_element(html, "dd", repair_utf8(definition.get<std::string>()));
    }
  }
  html += "</dl>\n";
}

std::vector<Part> parts_of(const Json& lesson, std::string_view member, std::string_view number,
                           std::string_view name) {
  std::vector<Part> parts;
  const auto* found = object_in(lesson, member);
  if (found == nullptr) return parts;
  for (const auto& [key, value] : found->items()) {
    if (!value.is_object()) continue;
    const auto* content = object_in(value, "content");
    if (content == nullptr) continue;
    const auto place = text_of(value, number);
    const auto heading = name.empty() ? std::string() : text_of(value, name);
    parts.push_back({number_of(place.empty() ? key : place), repair_utf8(heading.empty() ? key : heading), content});
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return parts;
}

}  // namespace

std::vector<TqaLesson> split_tqa(std::string_view json) {
  std::vector<TqaLesson> lessons;
  Json tree;
  try {
    tree = parse_json(json);
  } catch (const Json::exception& error) {
    throw FormatError(fmt::format("it is no JSON ({}); get the file again", repair_utf8(error.what())));
  }
  if (tree.is_object()) tree = Json::array({std::move(tree)});
  if (!tree.is_array()) throw FormatError("it is no array of lessons; get the file again");
  for (const auto& lesson : tree) {
    const auto id = lesson.is_object() ? text_of(lesson, "globalID") : std::string();
    lessons.push_back({id.empty() ? fmt::format("lesson {}", lessons.size() + 1) : id, json_text(lesson)});
  }
  return lessons;
}

RenderedPage render_tqa_lesson(std::string_view json, std::string& problem) {
  RenderedPage page;
  const auto lesson = parse_json_or_discard(json);
  if (!lesson.is_object()) {
    problem = "the lesson is no object";
    return page;
  }
  page.title = text_of(lesson, "lessonName");
  auto& html = page.html;
  html = "<html><body><main>\n";
  if (!page.title.empty()) append_element(html, "h1", page.title);
  const auto others = parts_of(lesson, "adjunctTopics", "orderID", "");
  for (const auto& part : others) {
    if (part.heading == kLead) append_content(html, *part.content);
  }
  for (const auto& part : parts_of(lesson, "topics", "globalID", "topicName")) {
    append_element(html, "h2", part.heading);
    append_content(html, *part.content);
  }
  for (const auto& part : others) {
    if (part.heading == kLead) continue;
    append_element(html, "h2", part.heading);
    append_content(html, *part.content);
  }
  if (const auto* adjuncts = object_in(lesson, "adjunctTopics")) {
    if (const auto* terms = object_in(*adjuncts, kVocabulary)) append_vocabulary(html, *terms);
  }
  html += "</main></body></html>\n";
  if (const auto* questions = object_in(lesson, "questions")) {
    std::uint64_t count = 0;
    for (const auto& [kind, group] : questions->items()) count += group.is_object() ? group.size() : 0;
    if (count > 0) page.left_out["questions"] = count;
  }
  return page;
}

}  // namespace touchstone::extractors::markup
