#include "common/records/sorter.hpp"
#include "formats/fields/one_line.hpp"
#include "pipeline/automatic/knowledge_work.hpp"
#include "pipeline/automatic/page_anchors.hpp"
#include "pipeline/automatic/page_links.hpp"
#include "pipeline/automatic/query_pages.hpp"
#include "pipeline/automatic/selection/automatic_options.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/corpus/docids.hpp"
#include "pipeline/corpus/page_walk.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/entities/dictionary_build.hpp"
#include "pipeline/entities/missing_titles.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/headings/wiki_language.hpp"
#include "storage/meta_keys.hpp"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {
namespace {

using flow::ReadContext;
using flow::StageReport;
using flow::WriteContext;
using selection::AutomaticOptions;
using storage::Family;

constexpr std::size_t kAnchorSortBytes = std::size_t{64} << 20;
constexpr std::string_view kAnchorsPart = "anchors";
constexpr std::string_view kMissingPart = "missing";

/// A text of links to a page, and how many links have it.
struct LinkText {
  std::uint32_t target = 0;
  std::string text;
  std::uint64_t count = 0;

  template <class Fields>
  void fields(Fields& field) {
    field("target", target)("text", text)("count", count);
  }
  friend auto operator<=>(const LinkText&, const LinkText&) = default;
};

/// Counts the texts of links by target, page after page.
class LinkTextCounter {
 public:
  explicit LinkTextCounter(const storage::Store& store) : store_(store) {}

  void add_page(PageId page) {
    page_ = page;
    const auto key = storage::page_key(page);
    if (!store_.get(Family::kLinkTarget, key, bytes_)) return;
    targets_ = storage::decode_link_targets(bytes_).pages;
    if (store_.get(Family::kOutline, key, bytes_)) add_paragraphs(storage::decode_outline(bytes_));
    if (!store_.get(Family::kAttribute, key, bytes_)) return;
    for (const auto& image : storage::decode_attributes(bytes_).images) add(image.caption, image.links);
  }

  /// Calls `take(LinkText)` for each, ascending.
  template <class Take>
  void for_each(const Take& take) const {
    for (const auto& [key, count] : counts_) take(LinkText{key.first, key.second, count});
  }

 private:
  void add_paragraphs(const storage::OutlineRecord& outline) {
    for (std::uint32_t i = 0; i < outline.sections.size(); ++i) {
      if (outline.sections[i].paragraph_count == 0 ||
          !store_.get(Family::kParagraph, storage::page_part_key(page_, i), bytes_))
        continue;
      for (const auto& paragraph : storage::decode_section_text(bytes_).paragraphs)
        add(paragraph.text, paragraph.links);
    }
  }

  void add(const std::string& text, const std::vector<storage::TextLink>& links) {
    internal::for_each_anchor(text, links, [&](std::size_t index, std::size_t begin, std::size_t end) {
      const auto target = links[index].target;
      if (target >= targets_.size() || targets_[target].value == 0 || targets_[target] == page_) return;
      ++counts_[{targets_[target].value, formats::fields::one_line(text.substr(begin, end - begin))}];
    });
  }

  const storage::Store& store_;
  PageId page_;
  std::vector<PageId> targets_;
  std::string bytes_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> counts_;
};

/// Writes the anchors of each page into the file of the cut that holds the page.
class AnchorFiles {
 public:
  AnchorFiles(std::filesystem::path folder, const flow::Cuts& cuts) : folder_(std::move(folder)), cuts_(cuts) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    open();
  }

  /// Texts come ascending by target; equal ones of several cuts one after the other.
  void add(LinkText link) {
    if (link.target != page_.page.value) {
      write_page();
      page_.page.value = link.target;
    }
    auto& anchors = page_.anchors;
    if (anchors.empty() || anchors.back().text != link.text) anchors.push_back({std::move(link.text), 0});
    anchors.back().count += link.count;
  }

  void finish() {
    write_page();
    while (cut_ + 1 < cuts_.size()) next_file();
    file_->finish();
  }

 private:
  void write_page() {
    if (page_.anchors.empty()) return;
    while (page_.page.value >= cuts_[cut_].end) next_file();
    std::stable_sort(page_.anchors.begin(), page_.anchors.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    file_->add(page_);
    page_.anchors.clear();
  }

  void next_file() {
    file_->finish();
    ++cut_;
    open();
  }

  void open() { file_.emplace(folder_ / fmt::format("{:05}.{}", cut_, kAnchorsPart)); }

  std::filesystem::path folder_;
  const flow::Cuts& cuts_;
  std::size_t cut_ = 0;
  std::optional<records::RecordFile<PageAnchors>::Writer> file_;
  PageAnchors page_;
};

class AnchorsStage : public flow::Stage {
 public:
  flow::Cuts plan(const ReadContext& context) override { return corpus::page_cuts(context.store); }

  void open(const ReadContext& context) override {
    query_pages_.emplace(context.input(kQueryPagesFile));
    language_ = language_of(context);
  }

  void map(const ReadContext& context, const flow::Cut& cut, const flow::PartWriter& parts) const override {
    LinkTextCounter counter(context.store);
    entities::MissingTitleCounter missing(headings::stemmer_name(language_));
    corpus::for_each_page(context, cut, [&](PageId id, const storage::PageRecord& record) {
      if (!record.is_article()) return;
      if (!query_pages_->contains(id)) counter.add_page(id);
      if (!record.is_disambiguation) missing.add(entities::read_linked_page(context.store, id));
    });
    auto titles = parts.records<entities::MissingTitle>(kMissingPart);
    missing.for_each([&](const entities::MissingTitle& title) { titles.add(title); });
    titles.finish();
    auto part = parts.records<LinkText>(kAnchorsPart);
    counter.for_each([&](const LinkText& link) { part.add(link); });
    context.progress.records += part.size();
    part.finish();
  }

  StageReport merge(WriteContext& context, const flow::Parts& parts) override {
    records::Sorter<LinkText> sorter(context.scratch(), kAnchorSortBytes);
    parts.for_each<LinkText>(kAnchorsPart, [&](LinkText link) { sorter.add(std::move(link)); });
    const auto cuts = corpus::page_cuts(context.store);
    AnchorFiles files(context.output(kAnchorsFolder), cuts);
    StageReport report;
    while (auto link = sorter.next()) {
      report.counts["links"] += link->count;
      files.add(std::move(*link));
    }
    records::Sorter<entities::MissingTitle> titles(context.scratch(), kAnchorSortBytes);
    parts.for_each<entities::MissingTitle>(kMissingPart,
                                           [&](entities::MissingTitle title) { titles.add(std::move(title)); });
    const entities::MissingTitles missing(titles, language_of(context));
    missing.write(context.output(kMissingTitlesFile));
    report.counts["titles without a page that are other forms of one"] = missing.size();
    kill_point("anchors.before_finish");
    files.finish();
    make_dictionary(context);
    return report;
  }

 private:
  static std::string language_of(const ReadContext& context) {
    std::string site;
    if (!context.store.get(Family::kMeta, storage::kMetaSite, site)) return "";
    return corpus::TitleIndex(context.store, context.options<corpus::TextOptions>()).site().language;
  }

  /// Makes the dictionary of the linker, if links are not those of the pages and no file is named.
  void make_dictionary(const WriteContext& context) const {
    using selection::LinkerSource;
    std::filesystem::remove(context.output(kLinkerDictionary));
    const auto source = context.options<AutomaticOptions>().linker_source();
    if (source == LinkerSource::kNone || source == LinkerSource::kFile) return;
    entities::DictionarySettings settings;
    settings.file = context.output(kLinkerDictionary);
    settings.scratch = context.scratch();
    settings.wiki = corpus::wiki_name(context.options<corpus::NameOptions>(),
                                      corpus::TitleIndex(context.store, context.options<corpus::TextOptions>()).site());
    settings.threads = context.threads;
    settings.language = language_of(context);
    settings.terms = source == LinkerSource::kTerms;
    if (const auto knowledge =
            open_knowledge(context.options<AutomaticOptions>(), context.input(kQueryPagesFile), settings.wiki)) {
      settings.wiki = knowledge->facts().wiki;
      settings.language = knowledge->facts().language;
      entities::build_dictionary(entities::LinkedPages(knowledge->store()), settings, context.stop);
      return;
    }
    const QueryPageSet query_pages(context.input(kQueryPagesFile));
    if (!settings.terms) settings.left_out = [&](PageId page) { return query_pages.contains(page); };
    entities::build_dictionary(entities::LinkedPages(context.store), settings, context.stop);
  }

  std::optional<QueryPageSet> query_pages_;
  std::string language_;
};

}  // namespace

flow::StageInfo anchors_stage() {
  return {
      .name = "anchors",
      .summary = "Count what links call each page",
      .format_version = 2,
      .inputs = {flow::file(kQueryPagesFile), flow::family(Family::kPage), flow::family(Family::kOutline),
                 flow::family(Family::kParagraph), flow::family(Family::kLinkTarget), flow::family(Family::kAttribute),
                 flow::family(Family::kTitle), flow::family(Family::kLink), flow::family(Family::kAlias),
                 flow::family(Family::kEntity), flow::family(Family::kSqlPage), flow::meta(storage::kMetaSite)},
      .outputs = {flow::folder(kAnchorsFolder), flow::file(kMissingTitlesFile), flow::optional_file(kLinkerDictionary)},
      .options = {flow::inherits<AutomaticOptions>(), flow::inherits<corpus::TextOptions>(),
                  flow::reads<corpus::NameOptions>()},
      .progress_unit = "pages",
      .progress_records = "texts of links",
      .make = flow::make_stage<AnchorsStage>,
      .is_cut = true,
      .extra_fingerprint = knowledge_fingerprint,
      .check_start = check_knowledge,
      .check_sources = check_knowledge_of};
}

}  // namespace touchstone::pipeline::automatic
