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

/// Calls `use(term, heading)` for each word of an article.
template <class Use>
void for_each_term(const storage::Store& store, text::TermSplitter& splitter, PageId page, const Use& use) {
  std::string bytes;
  if (!store.get(Family::kOutline, storage::page_key(page), bytes)) return;
  const auto outline = storage::decode_outline(bytes);
  for (std::uint32_t i = 0; i < outline.sections.size(); ++i) {
    for (auto& term : splitter.split(outline.sections[i].heading)) use(std::move(term), true);
    if (outline.sections[i].paragraph_count == 0 ||
        !store.get(Family::kParagraph, storage::page_part_key(page, i), bytes))
      continue;
    for (const auto& paragraph : storage::decode_section_text(bytes).paragraphs) {
      for (auto& term : splitter.split(paragraph.text)) use(std::move(term), false);
    }
  }
}

struct WordUse {
  std::size_t pages = 0, last = 0;  ///< last: number of the last page that has it, from 1 on
  bool plain = false;               ///< in lower case in a text
};

}  // namespace

CommonWords::CommonWords(const storage::Store& store, text::TermSplitter& splitter) {
  const auto articles = articles_of(store);
  const std::size_t step = (articles.size() + kMostArticles - 1) / kMostArticles;
  std::unordered_map<std::string, WordUse> words;
  std::size_t sampled = 0;
  for (std::size_t i = 0; i < articles.size(); i += step) {
    ++sampled;
    for_each_term(store, splitter, articles[i], [&](text::Term term, bool heading) {
      auto& word = words.try_emplace(std::move(term.stem)).first->second;
      word.plain = word.plain || (!heading && !term.capital);
      if (word.last == sampled) return;
      word.last = sampled;
      ++word.pages;
    });
  }
  for (const auto& [stem, use] : words) {
    if (use.plain) plain_.insert(stem);
    const bool common = static_cast<double>(use.pages) > kCommonShare * static_cast<double>(sampled);
    if (articles.size() >= kLeastArticles && common) stems_.insert(stem);
  }
}

}  // namespace touchstone::pipeline::evidence::wording
