#include "collection/automatic/report/automatic_numbers.hpp"

#include "collection/automatic/judgments.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

namespace touchstone::collection::automatic::report::internal {

namespace {

using automatic::Derivation;
using automatic::IdForm;
using automatic::kNoFacet;
using automatic::QrelsLevel;

constexpr std::size_t kScriptSamples = 5;

/// The scripts that a language is written in; empty if ICU does not know the language.
std::vector<int> scripts_of(const std::string& language) {
  UScriptCode codes[16];
  UErrorCode error = U_ZERO_ERROR;
  const auto count = uscript_getCode(language.c_str(), codes, static_cast<std::int32_t>(std::size(codes)), &error);
  if (U_FAILURE(error) || error == U_USING_DEFAULT_WARNING) return {};
  return {codes, codes + count};
}

/// Passages and entities of one facet.
struct FacetContent {
  std::set<std::string_view> passages, entities;
};

void add_pairs(SplitNumbers& split, const Derivation& derivation) {
  using automatic::entity_qrels;
  using automatic::passage_qrels;
  split.passages += passage_qrels(derivation, QrelsLevel::kHierarchical, IdForm::kUnambiguous).size();
  split.tree_passages += passage_qrels(derivation, QrelsLevel::kTree, IdForm::kUnambiguous).size();
  split.entities += entity_qrels(derivation, QrelsLevel::kHierarchical, IdForm::kUnambiguous).size();
  split.article_entities += entity_qrels(derivation, QrelsLevel::kArticle, IdForm::kUnambiguous).size();
}

}  // namespace

void Distribution::add(const Distribution& other) {
  for (const auto& [value, count] : other.counts_) counts_[value] += count;
  size_ += other.size_;
  sum_ += other.sum_;
}

std::uint64_t Distribution::count(std::uint64_t value) const {
  const auto found = counts_.find(value);
  return found == counts_.end() ? 0 : found->second;
}

double Distribution::mean() const noexcept {
  return size_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(size_);
}

std::uint64_t Distribution::quantile(double share) const {
  const auto wanted =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(size_))));
  std::uint64_t seen = 0;
  for (const auto& [value, count] : counts_) {
    seen += count;
    if (seen >= wanted) return value;
  }
  return 0;
}

void SplitNumbers::add(const SplitNumbers& other) {
  topics += other.topics;
  facets += other.facets;
  facets_with_passages += other.facets_with_passages;
  facets_with_entities += other.facets_with_entities;
  passages += other.passages;
  lead_passages += other.lead_passages;
  entities += other.entities;
  lead_entities += other.lead_entities;
  tree_passages += other.tree_passages;
  article_passages += other.article_passages;
  article_entities += other.article_entities;
  replaced += other.replaced;
  facets_per_topic.add(other.facets_per_topic);
  passages_per_topic.add(other.passages_per_topic);
  passages_per_facet.add(other.passages_per_facet);
  entities_per_facet.add(other.entities_per_facet);
}

NumberCollector::NumberCollector(const std::vector<std::string>& languages) {
  for (const auto& language : languages) {
    for (const int script : scripts_of(language)) known_scripts_.push_back(script);
  }
}

void NumberCollector::add(const Derivation& derivation, bool test) {
  auto& split = splits_[test ? 1 : 0];
  FacetContent lead;
  std::vector<FacetContent> facets(derivation.facets.size());
  std::set<std::string_view> article;
  for (const auto& passage : derivation.passages) {
    auto& content = passage.facet == kNoFacet ? lead : facets[passage.facet];
    content.passages.insert(passage.id);
    article.insert(passage.id);
    for (const auto& entity : passage.entities) content.entities.insert(entity.page_id);
    if (!passage.paragraph->id.empty() && passage.paragraph->id != passage.id) ++split.replaced;
  }
  ++split.topics;
  split.facets += facets.size();
  split.lead_passages += lead.passages.size();
  split.lead_entities += lead.entities.size();
  split.article_passages += article.size();
  split.facets_per_topic.add(facets.size());
  split.passages_per_topic.add(article.size());
  for (const auto& facet : facets) {
    split.passages_per_facet.add(facet.passages.size());
    split.entities_per_facet.add(facet.entities.size());
    split.facets_with_passages += facet.passages.empty() ? 0 : 1;
    split.facets_with_entities += facet.entities.empty() ? 0 : 1;
  }
  add_pairs(split, derivation);
  for (const auto id : article) passages_.push_back(std::hash<std::string_view>()(id));
  add_scripts(derivation);
}

bool NumberCollector::is_foreign(std::string_view heading) const {
  std::size_t letters = 0;
  std::size_t foreign = 0;
  for (std::size_t at = 0; at < heading.size();) {
    const auto c = static_cast<UChar32>(next_code_point(heading, at));
    if (u_isalpha(c) == 0) continue;
    UErrorCode error = U_ZERO_ERROR;
    const int script = uscript_getScript(c, &error);
    if (U_FAILURE(error) || script == USCRIPT_COMMON || script == USCRIPT_INHERITED) continue;
    ++letters;
    if (std::find(known_scripts_.begin(), known_scripts_.end(), script) == known_scripts_.end()) ++foreign;
  }
  return letters > 0 && 2 * foreign > letters;
}

void NumberCollector::add_scripts(const Derivation& derivation) {
  if (known_scripts_.empty()) return;
  for (const auto& facet : derivation.facets) {
    ++scripts_.headings;
    if (!is_foreign(facet.headings.back())) continue;
    ++scripts_.foreign;
    if (scripts_.samples.size() < kScriptSamples)
      scripts_.samples.push_back(derivation.topic.title + " » " + facet.headings.back());
  }
}

void NumberCollector::sort_passages() {
  std::sort(passages_.begin(), passages_.end());
}

std::uint64_t NumberCollector::distinct_passages() {
  sort_passages();
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < passages_.size(); ++i) count += i == 0 || passages_[i] != passages_[i - 1] ? 1 : 0;
  return count;
}

std::uint64_t NumberCollector::shared_passages() {
  sort_passages();
  std::uint64_t count = 0;
  for (auto first = passages_.begin(); first != passages_.end();) {
    const auto last = std::upper_bound(first, passages_.end(), *first);
    count += last - first > 1 ? 1 : 0;
    first = last;
  }
  return count;
}

}  // namespace touchstone::collection::automatic::report::internal
