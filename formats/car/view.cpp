#include "formats/car/view.hpp"

#include "common/display_text.hpp"
#include "common/error.hpp"
#include "common/json_writer.hpp"
#include "common/named_values.hpp"
#include "common/number_text.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/record_file.hpp"
#include "formats/car/records.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace touchstone::formats::car {
namespace {

/// "1 link", "2 links"
std::string counted(std::uint64_t count, const std::string& one) {
  return with_commas(count) + " " + one + (count == 1 ? "" : "s");
}

/// What is directly under a heading, or above the first heading.
struct SectionSummary {
  std::string heading, id, path;
  std::size_t level = 0;  ///< 0: the lead
  std::uint64_t paragraphs = 0, list_items = 0, images = 0, infoboxes = 0, links = 0;

  bool is_empty() const { return paragraphs + list_items + images + infoboxes == 0; }

  std::string contents() const {
    std::string text;
    const auto add = [&](std::uint64_t count, const char* one) {
      if (count > 0) text += (text.empty() ? "" : ", ") + counted(count, one);
    };
    add(paragraphs, "paragraph");
    add(list_items, "list item");
    add(images, "image");
    if (infoboxes > 0)
      text += (text.empty() ? "" : ", ") + with_commas(infoboxes) + (infoboxes > 1 ? " infoboxes" : " infobox");
    add(links, "link");
    return text;
  }
};

/// Sums up the sections of a page, for visit_skeleton.
class Summary {
 public:
  explicit Summary(const Page& page) : page_(page) {
    sections_.emplace_back();
    open_ = {0};
    visit_skeleton<Insides::kLeftOut>(page.skeleton, *this);
  }

  /// The lead, then the sections in page order.
  const std::vector<SectionSummary>& sections() const { return sections_; }

  void enter(const Section& section, std::size_t level) {
    headings_.push_back(section.heading_id);
    open_.push_back(sections_.size());
    auto& summary = sections_.emplace_back();
    summary.heading = section.heading;
    summary.id = section.heading_id;
    summary.path = section_path_id(page_.id, headings_);
    summary.level = level;
  }
  void leave(const Section&) {
    headings_.pop_back();
    open_.pop_back();
  }
  void element(const Paragraph& paragraph) {
    ++here().paragraphs;
    count_links(paragraph);
  }
  void element(const ListItem& item) {
    ++here().list_items;
    count_links(item.paragraph);
  }
  void element(const Image&) { ++here().images; }
  void element(const Infobox&) { ++here().infoboxes; }

 private:
  SectionSummary& here() { return sections_[open_.back()]; }
  void count_links(const Paragraph& paragraph) {
    for (const auto& body : paragraph.bodies) here().links += std::holds_alternative<Link>(body) ? 1 : 0;
  }

  const Page& page_;
  std::vector<SectionSummary> sections_;
  std::vector<std::size_t> open_;
  std::vector<std::string> headings_;
};

/// Draws the branches of a tree whose nodes come in order with their levels.
class Branches {
 public:
  explicit Branches(const std::vector<SectionSummary>& sections) : sections_(sections) {}

  /// What is before the node with this index.
  std::string before(std::size_t index) {
    const auto level = sections_[index].level;
    std::string text;
    for (std::size_t i = 1; i < level; ++i) text += goes_on(index, i) ? "│  " : "   ";
    return text + (goes_on(index, level) ? "├─ " : "└─ ");
  }

 private:
  /// Whether a node of this level follows under the same parent.
  bool goes_on(std::size_t index, std::size_t level) const {
    for (std::size_t i = index + 1; i < sections_.size() && sections_[i].level >= level; ++i) {
      if (sections_[i].level == level) return true;
    }
    return false;
  }

  const std::vector<SectionSummary>& sections_;
};

std::string link_name(const Link& link) {
  return link.page_name.empty() ? link.page_id : link.page_name;
}

std::string with_contents(const std::string& text, const SectionSummary& section) {
  const auto contents = section.contents();
  return text + (contents.empty() ? "" : "  (" + contents + ")") + "\n";
}

std::string page_text(const Page& page) {
  const Summary summary(page);
  const auto& sections = summary.sections();
  std::string text =
      display_text(page.name) + "\n  " + display_text(page.id) + "  " + std::string(name_in(kPageTypes, page.type));
  if (page.redirect) text += " to " + display_text(link_name(*page.redirect));
  if (!page.metadata.qid.empty()) text += "  " + display_text(page.metadata.qid);
  text += "\n";
  if (!sections[0].is_empty()) text += with_contents("  lead", sections[0]);
  Branches branches(sections);
  for (std::size_t i = 1; i < sections.size(); ++i) {
    text += with_contents("  " + branches.before(i) + display_text(sections[i].heading), sections[i]);
  }
  return text + "\n";
}

std::string paragraph_text_view(const Paragraph& paragraph) {
  std::string text = display_text(paragraph.id) + "\n  " + display_text(paragraph_text(paragraph)) + "\n";
  for (const auto& body : paragraph.bodies) {
    const auto* link = std::get_if<Link>(&body);
    if (link == nullptr) continue;
    text += "  [" + display_text(link->anchor) + "] -> " + display_text(link_name(*link));
    if (link->section) text += " # " + display_text(*link->section);
    if (link->page_id.empty()) text += "  (no page id)";
    text += "\n";
  }
  return text + "\n";
}

void put_view(JsonWriter& out, const Page& page) {
  out.begin_object()
      .field("page_name", page.name)
      .field("page_id", page.id)
      .field("page_type", name_in(kPageTypes, page.type));
  if (page.redirect) out.field("redirect_target", link_name(*page.redirect));
  if (!page.metadata.qid.empty()) out.field("wiki_data_qid", page.metadata.qid);
  out.key("sections").begin_array();
  const Summary summary(page);
  for (const auto& section : summary.sections()) {
    out.begin_object()
        .field("level", section.level)
        .field("heading_text", section.heading)
        .field("heading_id", section.id)
        .field("section_path_id", section.level == 0 ? page.id : section.path)
        .field("paragraphs", section.paragraphs)
        .field("list_items", section.list_items)
        .field("images", section.images)
        .field("infoboxes", section.infoboxes)
        .field("links", section.links)
        .end_object();
  }
  out.end_array().end_object();
}

void put_view(JsonWriter& out, const Paragraph& paragraph) {
  out.begin_object().field("para_id", paragraph.id).field("text", paragraph_text(paragraph)).key("links").begin_array();
  for (const auto& body : paragraph.bodies) {
    const auto* link = std::get_if<Link>(&body);
    if (link == nullptr) continue;
    out.begin_object()
        .field("text", link->anchor)
        .field("target_page", link->page_name)
        .field("target_page_id", link->page_id)
        .field("target_section", link->section)
        .end_object();
  }
  out.end_array().end_object();
}

std::string file_kind_text(const FileKind& kind, const std::optional<CarReader>& reader) {
  std::string text;
  if (kind.type) text += std::string(name_in(kFileTypes, *kind.type)) + " in ";
  text += kind.form == FileForm::kCbor ? "CBOR" : kind.form == FileForm::kJsonLines ? "JSON lines" : "TREC qrels";
  if (kind.form == FileForm::kCbor) text += kind.has_header ? " with header" : " without header";
  if (kind.is_gzip) text += ", gzip";
  if (reader && !reader->provenance().release_name.empty())
    text += ", release " + display_text(reader->provenance().release_name);
  return text;
}

void put_view_provenance(JsonWriter& out, const Provenance& provenance) {
  out.key("sites").begin_array();
  for (const auto& site : provenance.sites)
    out.begin_object()
        .field("site_id", site.site_id)
        .field("language", site.language)
        .field("source", site.source)
        .end_object();
  out.end_array().field("release", provenance.release_name).field("comments", provenance.comments);
}

/// A topic of qrels with the number of its judgments.
struct TopicCount {
  std::string topic;
  std::uint64_t judgments = 0, relevant = 0;
};

std::vector<TopicCount> count_topics(const std::filesystem::path& path) {
  std::vector<TopicCount> topics;
  std::unordered_map<std::string, std::size_t> places;
  trec::for_each_qrel(path, [&](const trec::QrelRecord& qrel, std::uint64_t) {
    const auto [place, is_new] = places.emplace(qrel.topic, topics.size());
    if (is_new) topics.push_back({qrel.topic, 0, 0});
    auto& topic = topics[place->second];
    ++topic.judgments;
    topic.relevant += qrel.grade > 0 ? 1 : 0;
  });
  return topics;
}

void view_qrels(const std::filesystem::path& path, const FileKind& kind, const ViewOptions& options,
                const std::function<void(std::string_view)>& print) {
  const auto topics = count_topics(path);
  const auto shown = options.limit == 0 ? topics.size() : std::min<std::uint64_t>(topics.size(), options.limit);
  if (options.as_json) {
    JsonWriter out({.indent = 2});
    put_file_kind(out.begin_object(), path, kind);
    out.key("records").begin_array();
    for (std::size_t i = 0; i < shown; ++i) {
      out.begin_object()
          .field("topic", topics[i].topic)
          .field("judgments", topics[i].judgments)
          .field("relevant", topics[i].relevant)
          .end_object();
    }
    print(out.end_array().field("more", shown < topics.size()).end_object().take_line());
    return;
  }
  print(file_kind_text(kind, std::nullopt) + ", " + counted(topics.size(), "topic") + "\n\n");
  for (std::size_t i = 0; i < shown; ++i) {
    const auto number = std::to_string(topics[i].relevant);
    print(std::string(number.size() < 6 ? 6 - number.size() : 0, ' ') + number + "  " + display_text(topics[i].topic) +
          "\n");
  }
  if (shown < topics.size())
    print("... and " + counted(topics.size() - shown, "more topic") + "; --limit 0 shows all\n");
}

/// Shows records until the limit; returns whether there are more.
template <class Show>
bool show_records(const std::filesystem::path& path, std::uint64_t limit, const Show& show) {
  std::uint64_t shown = 0;
  bool more = false;
  for_each_record(path, [&](const ReadRecord& read) {
    if (limit > 0 && shown == limit) {
      more = true;
      return false;
    }
    if (!read.record) throw FormatError(read.record.error());
    std::visit([&](const auto& record) { show(record); }, *read.record);
    ++shown;
    return true;
  });
  return more;
}

struct TextOf {
  std::string operator()(const Page& page) const { return page_text(page); }
  std::string operator()(const Paragraph& paragraph) const { return paragraph_text_view(paragraph); }
};

}  // namespace

void view_file(const std::filesystem::path& path, const ViewOptions& options,
               const std::function<void(std::string_view)>& print) {
  const auto kind = detect_file(path);
  if (kind.form == FileForm::kQrels) {
    view_qrels(path, kind, options, print);
    return;
  }
  std::optional<CarReader> reader;
  if (kind.form == FileForm::kCbor) reader.emplace(path);
  if (options.as_json) {
    JsonWriter out({.indent = 2});
    put_file_kind(out.begin_object(), path, kind);
    if (reader) put_view_provenance(out, reader->provenance());
    out.key("records").begin_array();
    const bool more = show_records(path, options.limit, [&](const auto& record) { put_view(out, record); });
    print(out.end_array().field("more", more).end_object().take_line());
    return;
  }
  print(file_kind_text(kind, reader) + "\n\n");
  if (show_records(path, options.limit, [&](const auto& record) { print(TextOf()(record)); }))
    print("... and more; --limit 0 shows all\n");
}

}  // namespace touchstone::formats::car
