#include "pipeline/automatic/query_pages.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/records/record_file.hpp"
#include "common/unicode.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "pipeline/headings/title_text.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <unicode/uchar.h>

namespace touchstone::pipeline::automatic {
namespace {

using formats::car::Page;
using formats::car::Section;
using formats::car::Skeleton;
using review::ReviewDecision;
using review::ReviewRow;
using selection::AutomaticOptions;

headings::TitleRules title_rules(const extractors::site::SiteInfo& site) {
  return {site.language, site.first_letter};
}

selection::Predicate predicate_of(const AutomaticOptions& options, const extractors::site::SiteInfo& site) {
  selection::PredicateContext context;
  context.titles = title_rules(site);
  context.splits = options.split_scheme();
  return selection::parse_predicate(options.select, context);
}

headings::HeadingWords words_of(const AutomaticOptions& options, const extractors::site::SiteInfo& site,
                                const std::vector<std::string>& boilerplate) {
  auto words = options.words_for(site.language);
  for (const auto& heading : boilerplate) words.boilerplate.add(heading);
  for (const auto& heading : options.allowed_headings) words.boilerplate.remove(heading);
  // The page of the wiki itself, which welcomes its readers.
  for (const auto& title : {site.site_name, site.main_page()})
    if (title.find_first_of("*#%@") == std::string::npos && !title.empty()) words.navigation.add(title);
  return words;
}

/// Whether a heading says all of the title or heading in front of it: "Festivals of autumn" behind "Festivals".
bool repeats(std::string_view heading, std::string_view before) {
  const auto words = " " + headings::comparable_heading(heading) + " ";
  return words.find(" " + headings::comparable_heading(before) + " ") != std::string::npos;
}

/// A title or heading without its emoji, which nobody types; the text itself if nothing else is there.
std::string without_pictures(const std::string& text) {
  constexpr char32_t kFirstPicture = 0x2190;  // arrows; what is below, such as the sign of copyright, is text
  std::string left;
  bool in_picture = false;
  for (std::size_t at = 0; at < text.size();) {
    const auto from = at;
    const char32_t c = next_code_point(text, at);
    const bool goes_on = c == 0xFE0F || c == 0x200D;  // makes one picture of two; has other uses in text
    in_picture =
        goes_on ? in_picture
                : c >= kFirstPicture && u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_EXTENDED_PICTOGRAPHIC) != 0;
    if (in_picture) continue;
    if (text[from] != ' ' || (!left.empty() && left.back() != ' ')) left.append(text, from, at - from);
  }
  while (left.ends_with(' ')) left.pop_back();
  return is_invisible(left) ? text : left;
}

/// Passages that are right below a heading; list items count, as options may make them passages.
std::uint64_t passages_in(const std::vector<Skeleton>& children) {
  std::uint64_t count = 0;
  for (const auto& [element] : children) {
    if (const auto* section = std::get_if<Section>(&element)) {
      count += passages_in(section->children);
    } else if (std::holds_alternative<formats::car::Paragraph>(element)) {
      ++count;
    }
  }
  return count;
}

}  // namespace

QueryPages::QueryPages(const AutomaticOptions& options, const extractors::site::SiteInfo& site,
                       const std::vector<std::string>& boilerplate)
    : splits_(options.split_scheme()),
      predicate_(predicate_of(options, site)),
      filter_(options.content_rules(), options.words_for(site.language).forbidden),
      rules_(words_of(options, site, boilerplate), options.title_rules, options.heading_rules,
             static_cast<std::size_t>(options.min_title_letters)),
      reviewed_(!options.review.empty()) {
  if (reviewed_) review_ = review::read_review(options.review);
}

selection::PageOutcome QueryPages::assess(const Page& page) const {
  auto outcome = selection::assess_page(page, {&predicate_, &filter_, &rules_, reviewed_ ? &review_ : nullptr});
  if (!outcome.is_query_page()) return outcome;
  auto copy = page;
  if (!prepare(copy).is_query_page) {
    outcome.reasons.set(static_cast<std::size_t>(selection::PageReason::kFewFacets));
    outcome.alone = outcome.reasons;
  }
  return outcome;
}

selection::TitleSplit QueryPages::split(std::string_view title) const {
  return selection::split_of(title, splits_);
}

Preparation QueryPages::prepare(Page& page) const {
  Preparation preparation;
  preparation.is_query_page = filter_.apply(page, preparation.removed);
  if (!preparation.is_query_page) return preparation;
  ReviewRow topic;
  topic.page = page.name;
  topic.flags = selection::topic_flags_text(rules_.flags_of_title(page.name, page.metadata.page_tags));
  topic.passages = passages_in(page.skeleton);
  preparation.rows.push_back(topic);
  if (const ReviewRow* row = review_.find(page.name); row != nullptr && row->decision == ReviewDecision::kReword)
    preparation.wordings[{page.name}] = row->wording;
  std::vector<std::string> path;
  drop_headings(page.skeleton, path, page.name, preparation);
  // What a person drops is no reason to lose the rest of the page.
  preparation.is_query_page =
      filter_.sections_left(page) + preparation.reviewed_sections >= filter_.rules().min_sections;
  return preparation;
}

void QueryPages::drop_headings(std::vector<Skeleton>& children, std::vector<std::string>& path,
                               const std::string& title, Preparation& preparation) const {
  std::vector<Skeleton> kept;
  kept.reserve(children.size());
  for (auto& child : children) {
    auto* section = std::get_if<Section>(&child.element);
    if (section == nullptr) {
      kept.push_back(std::move(child));
      continue;
    }
    path.push_back(section->heading);
    const auto flags = rules_.flags_of_heading(section->heading);
    preparation.flagged.add_heading(flags);
    const ReviewRow* row = review_.find(title, path);
    ReviewRow fresh;
    fresh.page = title;
    fresh.headings = path;
    fresh.flags = selection::topic_flags_text(flags);
    fresh.passages = passages_in(section->children);
    if (flags.any()) fresh.decision = ReviewDecision::kDrop;
    preparation.rows.push_back(std::move(fresh));
    // A person's word counts more than a rule's.
    const bool drop = row != nullptr ? row->decision == ReviewDecision::kDrop : flags.any();
    if (row != nullptr && row->decision == ReviewDecision::kReword) {
      std::vector<std::string> key{title};
      key.insert(key.end(), path.begin(), path.end());
      preparation.wordings[std::move(key)] = row->wording;
    }
    if (drop && row != nullptr) {
      ++preparation.reviewed;
      preparation.reviewed_sections += path.size() == 1 ? 1U : 0U;
    }
    drop_headings(section->children, path, title, preparation);
    path.pop_back();
    if (drop) {
      std::move(section->children.begin(), section->children.end(), std::back_inserter(kept));
    } else {
      kept.push_back(std::move(child));
    }
  }
  children = std::move(kept);
}

std::string wording(const Page& page, const Wordings& wordings, const std::vector<std::string>& headings) {
  std::vector<std::string> path{page.name};
  std::string text, last = wordings.contains(path) ? wordings.at(path) : without_pictures(page.name);
  for (const auto& heading : headings) {
    path.push_back(heading);
    const auto reworded = wordings.find(path);
    if (reworded != wordings.end() || !repeats(heading, last)) text += last + " ";
    last = reworded == wordings.end() ? without_pictures(heading) : reworded->second;
  }
  return text + last;
}

QueryPageSet::QueryPageSet(const std::filesystem::path& file) {
  records::RecordFile<QueryPage>::for_each(file, [&](const QueryPage& page) {
    if (chosen_.size() <= page.page.value) chosen_.resize(page.page.value + std::size_t{1});
    chosen_[page.page.value] = true;
  });
}

}  // namespace touchstone::pipeline::automatic
