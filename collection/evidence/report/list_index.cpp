#include "collection/evidence/report/list_index.hpp"

#include "collection/release/report/shown_text.hpp"
#include "common/display_text.hpp"
#include "common/json_writer.hpp"
#include "common/number_text.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace touchstone::collection::evidence::report::internal {

using namespace release::report;
namespace {

using formats::html::element;
using formats::html::Html;

constexpr std::size_t kIndexCodePoints = 250;
/// A list with more is shown in several pieces, so that pages stay small.
constexpr std::size_t kTopicsOfPiece = 100;

/// Where in its list a topic comes from.
std::string place_in_list(const TopicRecord& topic) {
  auto path = topic.section_path;
  path.push_back(topic.column);
  return join_path(path);
}

Html topic_entry(const ReportTopic& topic, const std::string& address) {
  return element(
      "li", {}, element("a", {{"href", address}, {"dir", "auto"}}, shown_excerpt(topic.topic.query, kIndexCodePoints)),
      Html(" "),
      element("small", {}, element("bdi", {}, shown_excerpt(place_in_list(topic.topic), kIndexCodePoints)),
              fmt::format(" · {} · {}", counted(topic.members, "member"), counted(topic.evidence, "evidence"))));
}

/// Some topics of one list.
struct Piece {
  const ReportList* list = nullptr;
  std::size_t first = 0, count = 0;
};

std::vector<Piece> pieces_of(const std::vector<ReportList>& lists) {
  std::vector<Piece> pieces;
  for (const auto& list : lists) {
    for (std::size_t done = 0; done < list.count; done += kTopicsOfPiece)
      pieces.push_back({&list, list.first + done, std::min(kTopicsOfPiece, list.count - done)});
  }
  return pieces;
}

std::string letter_anchor(std::size_t number) {
  return "letter-" + std::to_string(number);
}

Html letter_links(const std::vector<std::pair<std::string, std::string>>& letters) {
  Html items;
  for (const auto& [letter, address] : letters)
    items += element("li", {}, element("a", {{"href", address}}, shown(letter)));
  return element("nav", {{"aria-label", "Lists by first letter"}}, element("ul", {{"class", "letters"}}, items));
}

/// Writes pieces one after the other, with a heading where a new letter begins.
class IndexText {
 public:
  IndexText(const ReportData& data, const std::vector<std::string>& places, std::string_view folder)
      : data_(data), places_(places), folder_(folder) {}

  /// The piece, and the anchor of its letter if it is the first of it.
  std::pair<Html, std::string> piece(const Piece& piece) {
    Html out;
    std::string anchor;
    if (piece.list->letter != letter_) {
      letter_ = piece.list->letter;
      anchor = letter_anchor(++letters_);
      out += element("h3", {{"class", "letter"}, {"id", anchor}}, shown(letter_));
    }
    Html topics;
    for (std::size_t i = piece.first; i < piece.first + piece.count; ++i)
      topics += topic_entry(data_.topics[i], std::string(folder_) + places_[i]);
    const std::string remark = piece.first == piece.list->first ? counted(piece.list->count, "topic") : "continued";
    out += element("section", {{"class", "list-entry"}},
                   element("h4", {{"dir", "auto"}}, shown_excerpt(piece.list->title, kIndexCodePoints), Html(" "),
                           element("small", {}, remark)),
                   element("ul", {}, topics));
    return {std::move(out), std::move(anchor)};
  }

  const std::string& letter() const { return letter_; }

  /// The heading of a page that begins amid a letter.
  Html continued() const {
    return element("h3", {{"class", "letter"}}, shown(letter_), Html(" "), element("small", {}, "continued"));
  }

 private:
  const ReportData& data_;
  const std::vector<std::string>& places_;
  std::string_view folder_;
  std::string letter_;
  std::size_t letters_ = 0;
};

/// A page of the index that is not written yet.
struct IndexPage {
  Html content;
  const ReportList* first = nullptr;
  const ReportList* last = nullptr;
  std::size_t topics = 0;
};

}  // namespace

Html ListIndex::whole(std::string_view folder) const {
  IndexText text(data_, places_, folder);
  Html out;
  std::vector<std::pair<std::string, std::string>> letters;
  for (const auto& piece : pieces_of(data_.lists)) {
    auto [content, anchor] = text.piece(piece);
    if (!anchor.empty()) letters.emplace_back(text.letter(), "#" + anchor);
    out += content;
  }
  return letter_links(letters) + element("div", {{"class", "lists"}}, out);
}

Html ListIndex::write_pages(const PageFolder& place, std::string_view folder) {
  IndexText text(data_, places_, "");
  PageSeries pages(place, "lists", "lists");
  std::vector<std::pair<std::string, std::string>> letters;
  Html ranges;
  IndexPage page;
  const auto flush = [&](bool more_follow) {
    const auto name = pages.name();
    const Html title = element("bdi", {}, shown_excerpt(page.first->title, kIndexCodePoints)) + " … " +
                       element("bdi", {}, shown_excerpt(page.last->title, kIndexCodePoints));
    pages.write(fmt::format("Lists, page {}", with_commas(pages.number())), element("h2", {{"class", "lead"}}, title),
                element("div", {{"class", "lists"}}, page.content), more_follow);
    ranges += element("li", {}, element("a", {{"href", std::string(folder) + name}}, title), Html(" "),
                      element("small", {}, counted(page.topics, "topic")));
    page = {};
  };
  for (const auto& piece : pieces_of(data_.lists)) {
    auto [content, anchor] = text.piece(piece);
    if (!page.content.empty() && page.content.markup().size() + content.markup().size() > place.max_file_bytes)
      flush(true);
    if (page.first == nullptr) page.first = piece.list;
    if (!anchor.empty()) letters.emplace_back(text.letter(), std::string(folder) + pages.name() + "#" + anchor);
    page.last = piece.list;
    if (page.content.empty() && anchor.empty()) page.content += text.continued();
    page.content += content;
    page.topics += piece.count;
  }
  if (!page.content.empty()) flush(false);
  files_ = pages.written();
  return letter_links(letters) + element("ul", {{"class", "titles ranges"}}, ranges);
}

std::string ListIndex::search_json(std::string_view folder) const {
  JsonWriter out({.escapes = JsonEscapes::kLineBreaks});
  out.begin_object().field("folder", folder).key("lists").begin_array();
  for (const auto& list : data_.lists) {
    out.begin_array().value(display_text(list.title)).begin_array();
    for (std::size_t i = list.first; i < list.first + list.count; ++i) {
      const auto& topic = data_.topics[i];
      out.begin_array()
          .value(display_text(topic.topic.query))
          .value(display_text(place_in_list(topic.topic)))
          .value(places_[i])
          .value(topic.members)
          .value(topic.evidence)
          .value(display_text(topic.topic.id));
      if (!data_.member_names.empty()) out.value(display_text(data_.member_names[i]));
      out.end_array();
    }
    out.end_array().end_array();
  }
  return out.end_array().end_object().take();
}

}  // namespace touchstone::collection::evidence::report::internal
