#include "pipeline/evidence/wording/common_words.hpp"

#include "common/digest.hpp"
#include "pipeline/corpus/hashed_words.hpp"
#include "pipeline/corpus/page_inputs.hpp"
#include "pipeline/corpus/results_before.hpp"
#include "storage/keys.hpp"
#include "storage/records.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace touchstone::pipeline::evidence::wording {
namespace {

using storage::Family;

constexpr std::size_t kLeastArticles = 500, kMostArticles = 2000;
constexpr double kCommonShare = 0.1;  // of the articles: about what "settings" has in the wiki of a telephone

/// Raised when the same page gives other words.
constexpr std::string_view kWordsVersion = "words 1";

/// The words of an article, for the next dump.
struct ArticleWords {
  PageId page;
  Digest128 inputs{};  ///< see corpus::PageInputs
  corpus::HashedWords words;

  template <class Fields>
  void fields(Fields& field) {
    field("page_id", page)("inputs", inputs)("words", words);
  }
};

/// The articles that are looked at. The numbers of the pages decide, so that most are the same in the next dump.
std::vector<PageId> sample_of(const std::vector<PageId>& articles) {
  const std::size_t step = (articles.size() + kMostArticles - 1) / kMostArticles;
  std::vector<PageId> sample;
  for (const auto id : articles) {
    if (xxh3_64(storage::page_key(id)) % step == 0) sample.push_back(id);
  }
  return sample;
}

std::vector<PageId> articles_of(const storage::Store& store) {
  std::vector<PageId> articles;
  for (auto cursor = store.cursor(Family::kPage); cursor.valid(); cursor.next()) {
    const auto page = storage::decode_page(cursor.value());
    const auto id = storage::read_page_key(cursor.key());
    if (id && page.is_article()) articles.push_back(*id);
  }
  return articles;
}

corpus::HashedWords words_of(const storage::Store& store, text::TermSplitter& splitter, PageId page) {
  corpus::HashedWords words;
  std::string bytes;
  if (!store.get(Family::kOutline, storage::page_key(page), bytes)) return words;
  const auto outline = storage::decode_outline(bytes);
  for (std::uint32_t i = 0; i < outline.sections.size(); ++i) {
    corpus::add_words(splitter.split(outline.sections[i].heading), false, words);
    if (outline.sections[i].paragraph_count == 0 ||
        !store.get(Family::kParagraph, storage::page_part_key(page, i), bytes))
      continue;
    for (const auto& paragraph : storage::decode_section_text(bytes).paragraphs)
      corpus::add_words(splitter.split(paragraph.text), true, words);
  }
  corpus::keep_distinct(words);
  return words;
}

struct WordUse {
  std::size_t pages = 0;
  bool plain = false;  ///< in lower case in a text
};

}  // namespace

CommonWords::CommonWords(const storage::Store& store, text::TermSplitter& splitter, const corpus::ResultPlaces& files) {
  std::optional<corpus::PageInputs> inputs;
  std::optional<corpus::PageInputs::Walk> all_inputs;
  const corpus::ResultsBefore<ArticleWords> before(files.before);
  corpus::ResultsBefore<ArticleWords>::Walk walk(before);
  std::optional<records::RecordFile<ArticleWords>::Writer> file;
  if (!files.now.empty()) {
    all_inputs.emplace(inputs.emplace(store, kWordsVersion));
    file.emplace(files.now);
  }
  const auto articles = articles_of(store);
  const auto sample = sample_of(articles);
  std::unordered_map<std::uint64_t, WordUse> words;
  for (const auto id : sample) {
    const auto now = all_inputs ? all_inputs->of(id) : Digest128{};
    auto found = now == Digest128{} ? std::nullopt : walk.find(id);
    if (!found || found->inputs != now) found = {id, now, words_of(store, splitter, id)};
    for (const auto word : found->words) {
      auto& use = words[corpus::hash_of_word(word)];
      use.plain = use.plain || corpus::is_in_lower_case(word);
      ++use.pages;
    }
    if (file) file->add(*found);
  }
  if (file) file->finish();
  for (const auto& [word, use] : words) {
    if (use.plain) plain_.insert(word);
    const bool common = static_cast<double>(use.pages) > kCommonShare * static_cast<double>(sample.size());
    if (articles.size() >= kLeastArticles && common) common_.insert(word);
  }
}

bool CommonWords::contain(const std::string& stem) const {
  return common_.contains(corpus::hash_of_stem(stem));
}

bool CommonWords::is_plain_word(const std::string& stem) const {
  return plain_.contains(corpus::hash_of_stem(stem));
}

}  // namespace touchstone::pipeline::evidence::wording
