#include "pipeline/entities/dictionary_build.hpp"

#include "collection/automatic/ordered_batches.hpp"
#include "common/digest.hpp"
#include "common/records/sorter.hpp"
#include "common/unicode.hpp"
#include "linking/dictionary_writer.hpp"
#include "linking/phrases.hpp"
#include "pipeline/entities/missing_titles.hpp"
#include "pipeline/evidence/mentions/member_names.hpp"
#include "pipeline/headings/wiki_language.hpp"
#include "text/folded_text.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::entities {
namespace {

using collection::automatic::OrderedBatches;
using linking::DictionaryWriter;
using linking::Meaning;

constexpr std::size_t kPagesPerCount = 256;
constexpr std::uint32_t kNoEntity = UINT32_MAX;

/// One page that uses a phrase for an entity.
struct Use {
  enum Kind : std::uint32_t { kLink, kTitle, kBeginning };
  std::uint64_t phrase = 0;
  std::uint32_t kind = kBeginning;
  std::uint32_t entity = 0;
  friend auto operator<=>(const Use&, const Use&) = default;
};

struct LinkedBy {
  std::uint32_t entity = 0, source = 0;
  friend auto operator<=>(const LinkedBy&, const LinkedBy&) = default;
};

/// What one page tells of phrases and entities.
struct PageUses {
  std::set<Use> uses;
  std::vector<LinkedBy> linked;
};

/// Numbers of the anchors that are on a page.
using PagePhrases = std::vector<std::uint32_t>;

class DictionaryBuild {
 public:
  DictionaryBuild(const LinkedPages& pages, const DictionarySettings& settings, const StopFlag& stop)
      : pages_(pages),
        settings_(settings),
        stop_(stop),
        uses_(settings.scratch, kSortBytes),
        linked_(settings.scratch, kSortBytes) {}

  DictionaryReport run() {
    number_sources();
    if (settings_.terms || settings_.missing_pages) number_missing();
    collect_uses();
    add_entities();
    add_phrases();
    count_pages();
    auto facts = settings_.facts;
    facts.emplace("wiki", settings_.wiki);
    if (settings_.terms || settings_.missing_pages) facts.emplace(kMissingPagesFact, "yes");
    facts.emplace("pages", std::to_string(report_.pages));
    facts.emplace("left_out", std::to_string(report_.left_out));
    report_.anchors = writer_.anchors();
    writer_.write(settings_.file, static_cast<std::uint32_t>(report_.pages), facts);
    return report_;
  }

 private:
  std::uint32_t entity_of(PageId page) const {
    const auto& articles = pages_.articles();
    const auto found = std::lower_bound(articles.begin(), articles.end(), page);
    return found == articles.end() || *found != page ? kNoEntity : static_cast<std::uint32_t>(found - articles.begin());
  }

  std::uint32_t entity_of(const EditorsLink& link) const {
    if (link.page.value != 0) return entity_of(link.page);
    if (link.target.ns != kNamespaceMain) return kNoEntity;
    const auto term = missing_.find(forms_.entity(link.target.text));
    return term == missing_.end() ? kNoEntity : term->second;
  }

  bool is_term(std::uint32_t entity) const { return settings_.terms && entity >= pages_.articles().size(); }

  /// Pages get numbers by a hash of their ids, so that the first sources of an entity are a random sample of them.
  void number_sources() {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    const auto& articles = pages_.articles();
    for (std::uint32_t i = 0; i < articles.size(); ++i) {
      if (settings_.left_out(articles[i])) {
        ++report_.left_out;
      } else {
        const auto id = articles[i].value;
        order.emplace_back(xxh3_64({reinterpret_cast<const char*>(&id), sizeof id}), i);
      }
    }
    std::sort(order.begin(), order.end());
    source_of_.assign(articles.size(), kNoEntity);
    for (std::uint32_t i = 0; i < order.size(); ++i) source_of_[order[i].second] = i;
    report_.pages = order.size();
  }

  /// Calls `make(page number, page)` for the pages that count, in several threads, and `take` with the results in
  /// order.
  template <class Result, class Make, class Take>
  void walk(const Make& make, const Take& take) {
    tbb::task_arena arena(settings_.threads);
    arena.execute([&] {
      OrderedBatches<std::uint32_t, Result> batches(
          kPagesPerCount, [&](std::uint32_t& number) { return make(number, pages_.read(pages_.articles()[number])); },
          take);
      for (std::uint32_t i = 0; i < pages_.articles().size(); ++i) {
        stop_.check();
        if (source_of_[i] != kNoEntity) batches.add(i);
      }
      batches.finish();
    });
  }

  void number_missing() {
    const auto language = settings_.language.empty() ? pages_.titles().site().language : settings_.language;
    MissingTitleCounter counter(headings::stemmer_name(language));
    std::set<std::string> terms;
    walk<LinkedPage>([](std::uint32_t, LinkedPage page) { return page; },
                     [&](const LinkedPage& page) {
                       counter.add(page);
                       for (const auto& link : page.links) {
                         if (link.page.value == 0 && link.target.ns == kNamespaceMain) terms.insert(link.target.text);
                       }
                       if (!settings_.terms) return;
                       for (const auto& title : page.missing) {  // an index states terms, and no places in the text
                         if (title.ns == kNamespaceMain) terms.insert(title.text);
                       }
                     });
    records::Sorter<MissingTitle> titles(settings_.scratch, kSortBytes);
    counter.for_each([&](MissingTitle title) { titles.add(std::move(title)); });
    forms_ = MissingTitles(titles, language);
    for (const auto& term : terms) missing_.emplace(forms_.entity(term), 0);
    auto next = static_cast<std::uint32_t>(pages_.articles().size());
    for (auto& [term, number] : missing_) number = next++;
    report_.without_page = missing_.size();
  }

  static void add_use(std::string_view text, Use::Kind kind, std::uint32_t entity, std::set<Use>& uses) {
    const auto phrase = linking::phrase_of(text);
    if (phrase.number == 0) return;
    uses.insert({phrase.number, kind, entity});
    for (const auto beginning : phrase.beginnings) uses.insert({beginning, Use::kBeginning, 0});
  }

  PageUses uses_on(std::uint32_t number, const LinkedPage& page) const {
    PageUses found;
    std::set<std::uint32_t> entities;
    for (const auto target : page.targets) entities.insert(entity_of(target));
    if (settings_.terms) {
      for (const auto& title : page.missing) entities.insert(entity_of({0, 0, 0, {}, title}));
    }
    ByteCounter bytes("");
    std::uint32_t text = kNoEntity;
    for (const auto& link : page.links) {
      const auto entity = entity_of(link);
      if (link.text != text) bytes = ByteCounter(page.texts[link.text]);
      text = link.text;
      const auto begin = bytes.at_code_point(link.begin), end = bytes.at_code_point(link.end);
      if (entity == kNoEntity || entity == number) continue;
      entities.insert(entity);
      add_use(std::string_view(page.texts[link.text]).substr(begin, end - begin), Use::kLink, entity, found.uses);
    }
    for (const auto entity : entities) {
      if (entity != kNoEntity && entity != number) found.linked.push_back({entity, source_of_[number]});
    }
    return found;
  }

  void collect_uses() {
    walk<PageUses>([&](std::uint32_t number, const LinkedPage& page) { return uses_on(number, page); },
                   [&](const PageUses& found) {
                     for (const auto& use : found.uses) {
                       uses_.add(use);
                       report_.links += use.kind == Use::kLink ? 1 : 0;
                     }
                     for (const auto& linked : found.linked) linked_.add(linked);
                   });
    std::set<Use> titles;
    const auto& articles = pages_.articles();
    for (std::uint32_t i = 0; i < articles.size(); ++i) {
      stop_.check();
      titles.clear();
      const auto add = [&](const std::string& title) {
        add_use(evidence::mentions::without_qualifier(title), Use::kTitle, i, titles);
      };
      add(pages_.title_of(articles[i]));
      for (const auto& redirect : pages_.titles().redirects_to(articles[i], false)) {
        if (redirect.ns == kNamespaceMain) add(redirect.text);
      }
      for (const auto& use : titles) uses_.add(use);
    }
    for (const auto& [term, number] : missing_) {
      titles.clear();
      add_use(term, Use::kTitle, number, titles);
      for (const auto& use : titles) uses_.add(use);
    }
  }

  /// The number of a page's Wikidata item; 0 if it is not known.
  std::uint32_t item_of(PageId page) const {
    const auto record = pages_.titles().item(page);
    return record && record->item <= std::numeric_limits<std::uint32_t>::max()
               ? static_cast<std::uint32_t>(record->item)
               : 0;
  }

  void add_entities() {
    auto next = linked_.next();
    std::vector<std::uint32_t> sources;
    const auto add = [&](std::uint32_t number, const std::string& title, std::uint32_t item) {
      sources.clear();
      for (; next && next->entity == number; next = linked_.next()) sources.push_back(next->source);
      writer_.add_entity(title, item, sources);
      ++report_.entities;
    };
    const auto& articles = pages_.articles();
    for (std::uint32_t i = 0; i < articles.size(); ++i) add(i, pages_.title_of(articles[i]), item_of(articles[i]));
    for (const auto& [term, number] : missing_) add(number, term, 0);
  }

  void add_phrases() {
    auto use = uses_.next();
    std::vector<Meaning> meanings;
    while (use) {
      const auto phrase = use->phrase;
      bool continues = false, titled = false;
      std::uint32_t links = 0;
      meanings.clear();
      for (; use && use->phrase == phrase; use = uses_.next()) {
        if (use->kind == Use::kBeginning) {
          continues = true;
          continue;
        }
        if (use->kind == Use::kTitle) {
          titled = true;
          add_title(meanings, use->entity);
          continue;
        }
        ++links;  // links come first, those to one entity one after the other
        if (meanings.empty() || meanings.back().entity != use->entity) meanings.push_back({use->entity, 0});
        ++meanings.back().pages;
      }
      if (!titled && links < settings_.min_links) meanings.clear();
      sort_meanings(meanings);
      const bool term = !meanings.empty() && is_term(meanings.front().entity);
      const std::uint32_t titles = titled ? 1 : 0;
      if (!meanings.empty()) of_term_.push_back(term);
      writer_.add_phrase(phrase, continues, meanings, term ? titles : links + titles, titles);
    }
  }

  static void add_title(std::vector<Meaning>& meanings, std::uint32_t entity) {
    const auto known = std::find_if(meanings.begin(), meanings.end(),
                                    [&](const Meaning& meaning) { return meaning.entity == entity; });
    if (known == meanings.end()) {
      meanings.push_back({entity, 1});
    } else {
      ++known->pages;
    }
  }

  static void sort_meanings(std::vector<Meaning>& meanings) {
    std::sort(meanings.begin(), meanings.end(), [](const Meaning& a, const Meaning& b) {
      return std::tie(b.pages, a.entity) < std::tie(a.pages, b.entity);
    });
  }

  /// The anchors that are on a page, as links or not; but words within a link are not phrases of their own. A page's
  /// own name is left out, since no page links to itself.
  PagePhrases phrases_on(std::uint32_t number, const LinkedPage& page) const {
    std::set<std::uint32_t> found;
    auto link = page.links.begin();
    for (std::uint32_t i = 0; i < page.texts.size(); ++i) {
      const text::FoldedText folded(page.texts[i]);
      const auto tokens = linking::prose_tokens_of(folded);
      for (std::size_t first = 0; first < tokens.size(); ++first) {
        while (link != page.links.end() && (link->text < i || (link->text == i && link->end <= tokens[first].begin)))
          ++link;
        const bool inside = link != page.links.end() && link->text == i && link->begin < tokens[first].begin;
        if (!inside) add_phrases_at(tokens, first, number, found);
      }
    }
    return {found.begin(), found.end()};
  }

  void add_phrases_at(const std::vector<linking::Token>& tokens, std::size_t first, std::uint32_t page,
                      std::set<std::uint32_t>& found) const {
    auto phrase = linking::kEmptyPhrase;
    for (std::size_t i = first; i < tokens.size() && i - first < linking::kMostTokens; ++i) {
      if (i > first && !tokens[i].follows_closely) return;
      phrase = linking::longer_phrase(phrase, tokens[i].hash);
      const auto finding = writer_.find(phrase);
      if (finding.anchor && std::none_of(finding.anchor->meanings.begin(), finding.anchor->meanings.end(),
                                         [&](const Meaning& meaning) { return meaning.entity == page; }))
        found.insert(finding.anchor->number);
      if (!finding.continues) return;
    }
  }

  void count_pages() {
    std::vector<std::uint32_t> pages_with(writer_.anchors(), 0);
    walk<PagePhrases>([&](std::uint32_t number, const LinkedPage& page) { return phrases_on(number, page); },
                      [&](const PagePhrases& found) {
                        for (const auto anchor : found) ++pages_with[anchor];
                      });
    for (std::uint32_t i = 0; i < pages_with.size(); ++i)
      writer_.add_pages(i, pages_with[i], of_term_[i] ? pages_with[i] : 0);
  }

  const LinkedPages& pages_;
  const DictionarySettings& settings_;
  const StopFlag& stop_;
  records::Sorter<Use> uses_;
  records::Sorter<LinkedBy> linked_;
  std::vector<std::uint32_t> source_of_;  // by number of the article; kNoEntity: left out
  std::map<std::string, std::uint32_t> missing_;
  MissingTitles forms_;
  DictionaryWriter writer_;
  std::vector<bool> of_term_;  // by number of the anchor
  DictionaryReport report_;
};

}  // namespace

DictionaryReport build_dictionary(const LinkedPages& pages, const DictionarySettings& settings, const StopFlag& stop) {
  return DictionaryBuild(pages, settings, stop).run();
}

}  // namespace touchstone::pipeline::entities
