#include "common/error.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/reader.hpp"
#include "formats/car/records.hpp"
#include "retrieval/collection_source.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace touchstone::retrieval::internal {
namespace {

namespace fs = std::filesystem;
namespace car = formats::car;

constexpr std::uint64_t kMostRepeatsOfAnchor = 5;
constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;  ///< of a page that counts
constexpr std::array<std::string_view, 3> kLevels{"article", "toplevel", "hierarchical"};

fs::path need_file(const fs::path& path) {
  if (fs::is_regular_file(path)) return path;
  throw FormatError(
      path.string() +
      " does not exist; build the automatic collection again, or name another part or level with --part and --level");
}

template <class Kind, class Take>
void for_each(const fs::path& path, Take take) {
  car::CarReader reader(path);
  while (auto read = reader.next()) {
    if (!read->record) throw FormatError(read->record.error());
    auto* record = std::get_if<Kind>(&*read->record);
    if (record == nullptr)
      throw FormatError(path.string() + " has a record of another kind than its name says; build the collection again");
    take(*record);
  }
}

/// The texts of a page: before the first heading, and all of it.
struct PageTexts {
  std::string lead, text;
  std::size_t level = 0;

  void enter(const car::Section& section, std::size_t at) {
    level = at;
    append(section.heading);
  }
  void leave(const car::Section&) {}
  void element(const car::Paragraph& paragraph) { append(car::paragraph_text(paragraph)); }
  void element(const car::ListItem& item) { append(car::paragraph_text(item.paragraph)); }
  void element(const car::Image&) {}
  void element(const car::Infobox&) {}

  void append(const std::string& more) {
    if (text.size() + more.size() > kMaxTextBytes) return;
    text.append(more).append(" ");
    if (level == 0) lead.append(more).append(" ");
  }
};

Document passage_of(const car::Paragraph& paragraph) {
  Document document;
  document.id = paragraph.id;
  document.text = car::paragraph_text(paragraph);
  for (const auto& body : paragraph.bodies) {
    const auto* link = std::get_if<car::Link>(&body);
    if (link == nullptr || link->page_id.empty()) continue;
    document.title.append(link->page_name).append(" ");
    document.links.push_back(link->page_id);
  }
  return document;
}

Document entity_of(const car::Page& page) {
  Document document;
  document.id = page.id;
  document.page = page.id;
  document.title = page.name;
  for (const auto& name : page.metadata.redirect_names) document.title.append(" ").append(name);
  PageTexts texts;
  car::visit_skeleton<car::Insides::kLeftOut>(page.skeleton, texts);
  document.lead = std::move(texts.lead);
  document.text = std::move(texts.text);
  for (const auto& anchor : page.metadata.inlink_anchors) {
    for (std::uint64_t i = 0; i < std::min(anchor.count, kMostRepeatsOfAnchor); ++i)
      document.anchors.append(anchor.text).append(" ");
  }
  document.inlinks = page.metadata.inlink_ids;
  return document;
}

/// Makes a topic of each section of an outline down to a level.
class OutlineTopics {
 public:
  OutlineTopics(const car::Page& page, std::size_t deepest, std::vector<Topic>& topics)
      : page_(page), deepest_(deepest), topics_(topics) {
    topics_.push_back({page.id, page.name});
  }

  void enter(const car::Section& section, std::size_t level) {
    ids_.resize(level - 1);
    headings_.resize(level - 1);
    ids_.push_back(section.heading_id);
    headings_.push_back(section.heading);
    if (level > deepest_) return;
    std::string text = page_.name;
    for (const auto& heading : headings_) text.append(" ").append(heading);
    topics_.push_back({car::section_path_id(page_.id, ids_), std::move(text)});
  }
  void leave(const car::Section&) {}
  template <class Element>
  void element(const Element&) {}

 private:
  const car::Page& page_;
  std::size_t deepest_;
  std::vector<Topic>& topics_;
  std::vector<std::string> ids_, headings_;
};

class AutomaticSource : public CollectionSource {
 public:
  AutomaticSource(fs::path directory, SourceOptions options, std::string language)
      : directory_(std::move(directory)), options_(std::move(options)), language_(std::move(language)) {}

  void for_each_document(const std::function<void(Document&&)>& take) override {
    if (options_.unit == Unit::kPassages) {
      for_each<car::Paragraph>(corpus_file(), [&](const car::Paragraph& paragraph) { take(passage_of(paragraph)); });
    } else {
      for_each<car::Page>(corpus_file(), [&](const car::Page& page) {
        if (page.type == car::PageType::kArticle) take(entity_of(page));
      });
    }
  }

  std::vector<Topic> topics() override {
    if (!options_.topics.empty()) return read_topic_file(options_.topics);
    if (options_.unit == Unit::kPassages) return passage_topics();
    return outline_topics();
  }

  std::vector<fs::path> document_files() const override { return {corpus_file()}; }
  fs::path corpus_file() const override {
    return need_file(directory_ / (options_.unit == Unit::kPassages ? "dedup.articles-paragraphs.cbor"
                                                                    : "allButBenchmark.pages.cbor"));
  }
  std::string language() const override { return language_; }

 private:
  std::vector<Topic> passage_topics() const {
    return read_topic_file(need_file(directory_ / "trec" / (options_.part + "." + options_.level + ".topics.tsv")));
  }

  std::vector<Topic> outline_topics() const {
    const auto path = need_file(directory_ / (options_.part + ".pages.cbor-outlines.cbor"));
    const std::size_t deepest = options_.level == "article" ? 0 : options_.level == "toplevel" ? 1 : 1000;
    std::vector<Topic> all;
    for_each<car::Page>(path, [&](const car::Page& page) {
      OutlineTopics topics(page, deepest, all);
      car::visit_skeleton<car::Insides::kLeftOut>(page.skeleton, topics);
    });
    std::vector<Topic> topics;
    std::unordered_set<std::string> ids;
    for (auto& topic : all) {
      if (ids.insert(topic.id).second) topics.push_back(std::move(topic));
    }
    if (topics.empty()) throw FormatError(path.string() + " has no topic; name another part with --part");
    return topics;
  }

  fs::path directory_;
  SourceOptions options_;
  std::string language_;
};

}  // namespace

std::unique_ptr<CollectionSource> open_automatic(const fs::path& directory, const SourceOptions& options,
                                                 std::string language) {
  if (std::find(kLevels.begin(), kLevels.end(), options.level) == kLevels.end())
    throw ConfigError("--level must be article, toplevel or hierarchical");
  auto source = std::make_unique<AutomaticSource>(directory, options, std::move(language));
  static_cast<void>(source->corpus_file());  // says so if it is missing
  return source;
}

}  // namespace touchstone::retrieval::internal
