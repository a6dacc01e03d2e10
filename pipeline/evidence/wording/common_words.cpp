#include "pipeline/evidence/wording/common_words.hpp"

#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace touchstone::pipeline::evidence::wording {
namespace {

using storage::Family;

constexpr std::size_t kLeastArticles = 500, kMostArticles = 2000;
constexpr double kCommonShare = 0.1;  // of the articles: about what "settings" has in the wiki of a telephone

std::vector<PageId> articles_of(const storage::Store& store) {
  std::vector<PageId> articles;
  for (auto cursor = store.cursor(Family::kPage); cursor.valid(); cursor.next()) {
    const auto page = storage::decode_page(cursor.value());
    const auto id = storage::read_page_key(cursor.key());
    if (id && page.is_article()) articles.push_back(*id);
  }
  return articles;
}

/// \param plain  gets the words that are in lower case
std::unordered_set<std::string> stems_of(const storage::Store& store, text::TermSplitter& splitter, PageId page,
                                         std::unordered_set<std::string>& plain) {
  std::unordered_set<std::string> stems;
  std::string bytes;
  if (!store.get(Family::kOutline, storage::page_key(page), bytes)) return stems;
  const auto outline = storage::decode_outline(bytes);
  for (std::uint32_t i = 0; i < outline.sections.size(); ++i) {
    for (auto& term : splitter.split(outline.sections[i].heading)) stems.insert(std::move(term.stem));
    if (outline.sections[i].paragraph_count == 0 ||
        !store.get(Family::kParagraph, storage::page_part_key(page, i), bytes))
      continue;
    for (const auto& paragraph : storage::decode_section_text(bytes).paragraphs) {
      for (auto& term : splitter.split(paragraph.text)) {
        if (!term.capital) plain.insert(term.stem);
        stems.insert(std::move(term.stem));
      }
    }
  }
  return stems;
}

}  // namespace

CommonWords::CommonWords(const storage::Store& store, text::TermSplitter& splitter) {
  const auto articles = articles_of(store);
  const std::size_t step = (articles.size() + kMostArticles - 1) / kMostArticles;
  std::unordered_map<std::string, std::size_t> pages;
  std::size_t sampled = 0;
  for (std::size_t i = 0; i < articles.size(); i += step, ++sampled) {
    for (const auto& stem : stems_of(store, splitter, articles[i], plain_)) ++pages[stem];
  }
  if (articles.size() < kLeastArticles) return;
  for (const auto& [stem, count] : pages) {
    if (static_cast<double>(count) > kCommonShare * static_cast<double>(sampled)) stems_.insert(stem);
  }
}

}  // namespace touchstone::pipeline::evidence::wording
