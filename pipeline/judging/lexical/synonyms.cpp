#include "pipeline/judging/lexical/synonyms.hpp"

#include "common/unicode.hpp"
#include "pipeline/judging/lexical/compared_words.hpp"
#include "storage/keys.hpp"
#include "storage/link_graph.hpp"
#include "storage/records.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace touchstone::pipeline::judging::lexical {
namespace {

using storage::Family;

/// Pages read for the anchors of one article.
constexpr std::size_t kMostSources = 2000;
/// Titles between two looks at the stop flag.
constexpr std::size_t kTitlesPerCheck = 10'000;

StemPhrase stems(std::vector<text::Term> terms) {
  StemPhrase phrase;
  for (auto& term : terms) phrase.push_back(std::move(term.stem));
  return phrase;
}

class SynonymSearch {
 public:
  SynonymSearch(const storage::Store& store, const corpus::TitleIndex& titles, const std::string& stemmer,
                const StopFlag& stop)
      : store_(store),
        graph_(store),
        titles_(titles),
        splitter_(stemmer),
        endings_(endings_for(stemmer)),
        stop_(stop) {}

  std::map<std::string, Synonyms> find(const std::set<std::string>& phrases) {
    std::map<StemPhrase, std::vector<std::string>> wanted;
    for (const auto& phrase : phrases) {
      if (auto key = stems(splitter_.split(phrase)); !key.empty()) wanted[std::move(key)].push_back(phrase);
    }
    std::map<std::string, std::set<PageId>> articles;
    std::size_t seen = 0;
    for (auto cursor = store_.cursor(Family::kTitle); cursor.valid(); cursor.next()) {
      if (++seen % kTitlesPerCheck == 0) stop_.check();
      const auto key = storage::read_title_key(cursor.key());
      if (!key || key->ns != kNamespaceMain) continue;
      const auto found = wanted.find(stems(splitter_.split(key->text)));
      if (found == wanted.end()) continue;
      const auto article = titles_.resolve({kNamespaceMain, std::string(key->text)});
      if (!article || article->page.title.ns != kNamespaceMain) continue;
      for (const auto& phrase : found->second) articles[phrase].insert(article->id);
    }
    std::map<std::string, Synonyms> synonyms;
    std::map<PageId, Synonyms> of_article;
    for (const auto& [phrase, pages] : articles) {
      for (const auto page : pages) {
        auto [known, fresh] = of_article.try_emplace(page);
        if (fresh) known->second = of(page);
        auto& all = synonyms[phrase];
        all.articles.insert(page);
        all.titles.insert(all.titles.end(), known->second.titles.begin(), known->second.titles.end());
        for (const auto& [anchor, count] : known->second.anchors) all.anchors[anchor] += count;
      }
    }
    return synonyms;
  }

 private:
  Synonyms of(PageId page) {
    Synonyms synonyms;
    if (const auto record = titles_.page(page)) add_title(record->title.text, synonyms);
    for (const auto& redirect : titles_.redirects_to(page, false)) {
      if (redirect.ns == kNamespaceMain) add_title(redirect.text, synonyms);
    }
    const auto sources = graph_.sources_with_places(page);
    for (std::size_t i = 0; i < std::min(kMostSources, sources.size()); ++i) {
      stop_.check();
      add_anchors(sources[i], page, synonyms);
    }
    return synonyms;
  }

  /// A title without its qualifier, "Mercury (planet)".
  void add_title(std::string title, Synonyms& synonyms) {
    if (const auto open = title.rfind(" ("); open != std::string::npos && title.back() == ')') title.resize(open);
    if (auto phrase = stems(compared_words(splitter_, title, endings_)); !phrase.empty())
      synonyms.titles.push_back(std::move(phrase));
  }

  void add_anchors(const storage::LinkGraph::Source& source, PageId article, Synonyms& synonyms) {
    if (source.places.empty() || source.places.back() == 0) return;  // no link in a paragraph
    const auto key = storage::page_key(source.page);
    std::string bytes;
    if (!store_.get(Family::kLinkTarget, key, bytes)) return;
    const auto targets = storage::decode_link_targets(bytes).pages;
    if (!store_.get(Family::kOutline, key, bytes)) return;
    const auto outline = storage::decode_outline(bytes);
    for (std::uint32_t i = 0; i < outline.sections.size(); ++i) {
      const auto& section = outline.sections[i];
      const bool has_link = std::any_of(source.places.begin(), source.places.end(), [&](std::uint32_t place) {
        return place > section.first_paragraph && place - section.first_paragraph <= section.paragraph_count;
      });
      if (!has_link || !store_.get(Family::kParagraph, storage::page_part_key(source.page, i), bytes)) continue;
      for (const auto& paragraph : storage::decode_section_text(bytes).paragraphs) {
        for (const auto& link : paragraph.links) {
          if (link.target >= targets.size() || targets[link.target] != article || link.end <= link.begin) continue;
          ByteCounter bytes_of(paragraph.text);
          const std::size_t begin = bytes_of.at_code_point(link.begin), end = bytes_of.at_code_point(link.end);
          const auto anchor = std::string_view(paragraph.text).substr(begin, end - begin);
          if (auto phrase = stems(compared_words(splitter_, anchor, endings_)); !phrase.empty())
            ++synonyms.anchors[std::move(phrase)];
        }
      }
    }
  }

  const storage::Store& store_;
  storage::LinkGraph graph_;
  const corpus::TitleIndex& titles_;
  text::TermSplitter splitter_;
  Endings endings_;
  const StopFlag& stop_;
};

}  // namespace

std::map<std::string, Synonyms> find_synonyms(const storage::Store& store, const corpus::TitleIndex& titles,
                                              const std::set<std::string>& phrases, const std::string& stemmer,
                                              const StopFlag& stop) {
  return SynonymSearch(store, titles, stemmer, stop).find(phrases);
}

}  // namespace touchstone::pipeline::judging::lexical
