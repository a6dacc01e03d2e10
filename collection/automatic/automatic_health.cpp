#include "collection/automatic/automatic_health.hpp"

#include "collection/automatic/automatic_files.hpp"
#include "collection/automatic/derivation.hpp"
#include "collection/automatic/near_duplicates.hpp"
#include "collection/health/moulds.hpp"
#include "collection/health/passage_health.hpp"
#include "collection/health/topic_overlap.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/number_text.hpp"
#include "common/records/row_index.hpp"
#include "common/records/sorter.hpp"
#include "common/records/stored_bytes.hpp"
#include "common/scratch_folder.hpp"
#include "formats/car/ids.hpp"
#include "formats/car/record_file.hpp"
#include "formats/fields/quote.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::collection::automatic {
namespace {

namespace fs = std::filesystem;
using formats::fields::quote_for_message;
using health::counted;
using health::share_of;

constexpr double kLeastPages = 25, kMostThinFacets = 0.6, kMostCommonFacets = 0.5;
constexpr double kLeastMedianPassages = 5, kMostTopicOverlap = 0.02;
constexpr double kMostStrangers = 0.005, kMostBoilerplateFacets = 0.05;
/// A heading on a larger share of the query pages says little about any of them.
constexpr double kCommonHeading = 0.1;
/// Below a common heading with at least so many passages and so few moulds for a passage, a robot wrote.
constexpr std::uint64_t kLeastOfMould = 20;
constexpr double kMostMouldsOfRobot = 0.65;

using health::Remedy;
using Unless = Remedy::Unless;

constexpr Remedy kMoreSections{"raise automatic.min_sections"};
constexpr Remedy kListItems{"set automatic.include_lists = true, which makes list items passages", Unless::kEquals,
                            "automatic.include_lists", "true"};
constexpr Remedy kBoilerplate{"set automatic.boilerplate_share = 0.1", Unless::kEquals, "automatic.boilerplate_share",
                              "0.1"};
constexpr Remedy kKeepFacts{"set near_duplicates.keep_facts = true", Unless::kEquals, "near_duplicates.keep_facts",
                            "true"};
constexpr Remedy kNearDuplicates{"set near_duplicates.enabled = true", Unless::kEquals, "near_duplicates.enabled",
                                 "true"};

health::PassageRemedies passage_remedies_of_pages() {
  return {
      .repeats = {kNearDuplicates},
      .near_repeats = {kNearDuplicates, {"lower near_duplicates.threshold"}},
      .short_passages = {{"set automatic.include_lists = false", Unless::kEquals, "automatic.include_lists", "false"},
                         {"set automatic.include_captions = false", Unless::kEquals, "automatic.include_captions",
                          "false"},
                         {"set automatic.include_tables = false", Unless::kEquals, "automatic.include_tables",
                          "false"}},
      .long_passages = {{"set automatic.include_tables = false", Unless::kEquals, "automatic.include_tables", "false"}},
      .damage = {{"let touchstone survey choose ingest.templates, which compares the damage", Unless::kDiffers,
                  "groups.list_prefixes", "[]"}}};
}

/// A passage that represents a near-duplicate, and the page of the near-duplicate, which that names.
struct Replaced {
  std::uint64_t key = 0;   ///< hash of the passage's id
  std::uint64_t page = 0;  ///< its number
  friend auto operator<=>(const Replaced&, const Replaced&) = default;
};

/// A facet with this heading, or a passage of one.
struct Heading {
  std::string text;
  std::optional<std::uint64_t> mould{};  ///< hash of the passage's mould
  template <class Fields>
  void fields(Fields& field) {
    field("text", text)("mould", mould);
  }
  friend auto operator<=>(const Heading&, const Heading&) = default;
};

/// What the query pages say.
struct QueryPages {
  static constexpr std::size_t kBytes = std::size_t{8} << 20;

  std::filesystem::path folder = temporary_folder();  ///< for what is beyond kBytes of each
  std::uint64_t pages = 0, facets = 0, thin = 0;
  std::string thin_sample;
  records::Sorter<Heading> headings{folder, kBytes};  ///< of facets
  records::StoredLists<char> titles{folder, kBytes};  ///< of all pages
  health::OverlapFinder overlap{folder};              ///< of the passages of pages: hashes of ids
  std::map<std::uint64_t, std::uint64_t> sizes;       ///< how many pages have so many different passages
  std::uint64_t relevant = 0;                         ///< passages of all pages
  records::Sorter<Replaced> replaced{folder, kBytes};
  std::uint64_t strangers = 0;  ///< of these: titles that the passage does not name
  std::string stranger_sample;
};

/// A page's title without what tells it from others of the name.
std::string_view bare_title(std::string_view title) {
  const auto bracket = title.find(" (");
  return bracket == 0 ? title : title.substr(0, bracket);
}

/// Looks for passages of the corpus that do not name the page of a near-duplicate which they represent.
class StrangerFinder {
 public:
  explicit StrangerFinder(QueryPages& found)
      : found_(found), replaced_(records::stored_rows(found.replaced, found.folder, QueryPages::kBytes)) {}

  void look(const std::string& id, std::string_view text) {
    replaced_.for_each(xxh3_64(id), [&](const Replaced& replaced) {
      found_.titles.read(replaced.page, title_);
      if (text.find(bare_title(title_)) == std::string_view::npos && found_.strangers++ == 0)
        found_.stranger_sample = title_;
      return true;
    });
  }

 private:
  QueryPages& found_;
  records::RowIndex<Replaced> replaced_;
  std::string title_;
};

void add_page(const formats::car::Page& page, const automatic::DerivationOptions& options, QueryPages& found) {
  const auto derivation = derive(page, options);
  std::vector<std::uint64_t> passages(derivation.facets.size());
  for (const auto& passage : derivation.passages) {
    if (passage.facet == automatic::kNoFacet) continue;
    ++passages[passage.facet];
    found.headings.add({derivation.facets[passage.facet].headings.back(),
                        xxh3_64(health::mould_of(paragraph_text(*passage.paragraph), {page.name}, {}))});
  }
  const auto number = found.pages++;
  found.titles.add(page.name);
  std::vector<std::uint64_t> ids;
  for (const auto& passage : derivation.passages) {
    ids.push_back(xxh3_64(passage.id));
    if (passage.id == passage.paragraph->id) continue;
    if (paragraph_text(*passage.paragraph).find(bare_title(page.name)) != std::string::npos)
      found.replaced.add({ids.back(), number});
  }
  found.relevant += derivation.passages.size();
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  found.overlap.add(ids);
  ++found.sizes[ids.size()];
  found.facets += derivation.facets.size();
  for (std::size_t i = 0; i < passages.size(); ++i) {
    found.headings.add({derivation.facets[i].headings.back()});
    if (passages[i] == 1 && found.thin++ == 0) found.thin_sample = derivation.facets[i].car_id;
  }
}

/// Half of the pages have so many passages or fewer.
double median_size(const QueryPages& found) {
  std::uint64_t pages = 0;
  std::optional<std::uint64_t> lower;
  for (const auto& [size, count] : found.sizes) {
    pages += count;
    if (!lower && 2 * pages >= found.pages) lower = size;
    if (2 * pages > found.pages) return static_cast<double>(*lower + size) / 2;
  }
  return 0;
}

health::HealthCheck passages_check(const QueryPages& found, const health::RunOptions& options) {
  const auto median = median_size(found);
  return {"passages_per_topic",
          median,
          kLeastMedianPassages,
          health::HealthUnit::kNumber,
          true,
          fmt::format("Half of the query pages have {} relevant passages or fewer; the range is {} to {}.",
                      health::short_number(median), found.sizes.empty() ? 0 : found.sizes.begin()->first,
                      found.sizes.empty() ? 0 : found.sizes.rbegin()->first),
          static_cast<double>(found.pages) > kLeastPages ? health::remedy_text({kMoreSections, kListItems}, options)
                                                         : health::remedy_text({kListItems}, options)};
}

health::HealthCheck overlap_check(QueryPages& found) {
  const auto overlap = found.overlap.find();
  const auto title = [&](std::uint64_t page) {
    std::string text;
    found.titles.read(page, text);
    return quote_for_message(text);
  };
  return {"topic_overlap",
          share_of(overlap.topics, found.pages),
          kMostTopicOverlap,
          health::HealthUnit::kShare,
          false,
          fmt::format("{} of {} have at least {} of their relevant passages in common with an earlier one{}.",
                      with_commas(overlap.topics), counted(found.pages, "query page"), percent(health::kEqualTopics),
                      overlap.topics == 0
                          ? ""
                          : ", such as " + title(overlap.sample.first) + " and " + title(overlap.sample.second)),
          "leave out copies and drafts of pages with automatic.select."};
}

health::HealthCheck strangers_check(const QueryPages& found, const health::RunOptions& options) {
  health::HealthCheck check{
      "passages_about_other_pages",
      share_of(found.strangers, found.relevant),
      kMostStrangers,
      health::HealthUnit::kShare,
      false,
      fmt::format("{} of {} stand for a text that names its page, and do not name it{}.", with_commas(found.strangers),
                  counted(found.relevant, "relevant passage"),
                  found.strangers == 0 ? "" : ", such as that of " + quote_for_message(found.stranger_sample)),
      health::remedy_text({kKeepFacts}, options)};
  if (found.relevant == 0) health::leave_unmeasured(check, "there are no relevant passages");
  return check;
}

/// Headings that many pages have.
struct CommonHeadings {
  std::uint64_t facets = 0;       ///< with such a heading
  std::uint64_t boilerplate = 0;  ///< of these: with passages of few moulds
  std::string boilerplate_sample;
  std::pair<std::uint64_t, std::string> most;  ///< the heading of most facets, and their number
};

CommonHeadings find_common_headings(QueryPages& found) {
  CommonHeadings common;
  std::string heading;
  std::uint64_t facets = 0, passages = 0, moulds = 0;
  std::optional<std::uint64_t> mould;
  const auto end = [&] {
    common.most = std::max(common.most, {facets, heading});
    if (facets < 2 || static_cast<double>(facets) <= kCommonHeading * static_cast<double>(found.pages)) return;
    common.facets += facets;
    if (passages < kLeastOfMould || share_of(moulds, passages) > kMostMouldsOfRobot) return;
    common.boilerplate += facets;
    common.boilerplate_sample = heading;
  };
  while (auto next = found.headings.next()) {
    if (next->text != heading) {
      end();
      heading = std::move(next->text);
      facets = passages = moulds = 0;
      mould.reset();
    }
    if (!next->mould) {
      ++facets;
    } else {
      ++passages;
      moulds += next->mould != mould ? 1U : 0U;
      mould = next->mould;
    }
  }
  end();
  return common;
}

std::vector<health::HealthCheck> page_checks(QueryPages& found, const health::RunOptions& options) {
  const auto headings = find_common_headings(found);
  const auto common = headings.facets;
  const auto& most = headings.most;
  std::vector<health::HealthCheck> checks;
  checks.push_back({"topics", static_cast<double>(found.pages), kLeastPages, health::HealthUnit::kNumber, true,
                    fmt::format("The collection has {}. Differences between systems are unstable over fewer than {}.",
                                counted(found.pages, "query page"), kLeastPages),
                    "lower automatic.min_sections, or widen automatic.select."});
  checks.push_back(
      {"facets_with_one_passage", share_of(found.thin, found.facets), kMostThinFacets, health::HealthUnit::kShare,
       false,
       fmt::format("{} of {} have one relevant passage{}.", with_commas(found.thin), counted(found.facets, "facet"),
                   found.thin == 0 ? "" : ", such as " + quote_for_message(found.thin_sample)),
       health::remedy_text({kListItems}, options)});
  checks.push_back(
      {"common_facets", share_of(common, found.facets), kMostCommonFacets, health::HealthUnit::kShare, false,
       fmt::format("{} of {} have a heading that is on more than {:.0f} % of the query pages{}.", with_commas(common),
                   counted(found.facets, "facet"), 100 * kCommonHeading,
                   common == 0 ? "" : fmt::format("; {} is on {}", quote_for_message(most.second), most.first)),
       "add headings that say nothing about their page to automatic.forbidden_headings."});
  checks.push_back(
      {"boilerplate_facets", share_of(headings.boilerplate, found.facets), kMostBoilerplateFacets,
       health::HealthUnit::kShare, false,
       fmt::format("{} of {} have such a heading, and passages of few moulds below it, as a robot writes them{}.",
                   with_commas(headings.boilerplate), counted(found.facets, "facet"),
                   headings.boilerplate == 0 ? "" : ", such as " + quote_for_message(headings.boilerplate_sample)),
       health::remedy_text({kBoilerplate}, options)});
  checks.push_back(passages_check(found, options));
  checks.push_back(overlap_check(found));
  if (found.pages == 0) {
    for (std::size_t i = 1; i < checks.size(); ++i) health::leave_unmeasured(checks[i], "there are no query pages");
  }
  return checks;
}

}  // namespace

std::vector<health::HealthCheck> examine_automatic(const fs::path& directory, const AutomaticInfo& info,
                                                   const StopFlag& stop) {
  const auto duplicates = automatic::NearDuplicates::read(directory / automatic::kDuplicatesFile);
  const automatic::DerivationOptions derivation{info.list_items, info.captions,
                                                [&](std::string_view id) { return duplicates.representative(id); }};
  QueryPages found;
  for (const char* split : {"train", "test"}) {
    const automatic::ReleaseFileNames names{split};
    formats::car::for_each_page(directory / names.pages(), [&](const formats::car::Page& page) {
      stop.check();
      add_page(page, derivation, found);
    });
  }
  StrangerFinder strangers(found);
  health::PassageHealth passages;
  std::vector<health::Word> words;
  formats::car::for_each_paragraph(directory / automatic::kCorpusFile, [&](const formats::car::Paragraph& paragraph) {
    stop.check();
    const auto text = paragraph_text(paragraph);
    health::split_words(text, words);
    passages.add(paragraph.id, text, words);
    strangers.look(paragraph.id, text);
  });
  const auto options = health::run_options(info.manifest_json);
  auto checks = page_checks(found, options);
  checks.push_back(strangers_check(found, options));
  for (auto& check : passages.checks(passage_remedies_of_pages(), options)) checks.push_back(std::move(check));
  return checks;
}

}  // namespace touchstone::collection::automatic
