#include "collection/automatic/judgments.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace touchstone::collection::automatic {
namespace {

using formats::trec::QrelRecord;

const std::string& id_in(IdForm form, const PageTopic& topic) {
  return form == IdForm::kCar ? topic.car_id : topic.id;
}

const std::string& id_in(IdForm form, const Facet& facet) {
  return form == IdForm::kCar ? facet.car_id : facet.id;
}

/// The section itself, the section around it, and so on.
std::vector<std::size_t> facets_on_the_way(const Derivation& derivation, std::size_t facet) {
  std::vector<std::size_t> way;
  for (; facet != kNoFacet; facet = derivation.facets[facet].parent) way.push_back(facet);
  return way;
}

/// The topics of a level that a passage in this facet is relevant to.
std::vector<std::string_view> topics_of(const Derivation& derivation, std::size_t facet, QrelsLevel level,
                                        IdForm form) {
  const std::string& page = id_in(form, derivation.topic);
  if (level == QrelsLevel::kArticle || facet == kNoFacet) return {page};
  if (level == QrelsLevel::kToplevel) return {id_in(form, derivation.facets[derivation.top_level(facet)])};
  if (level == QrelsLevel::kHierarchical) return {id_in(form, derivation.facets[facet])};
  std::vector<std::string_view> topics = {page};
  for (const auto outer : facets_on_the_way(derivation, facet)) topics.push_back(id_in(form, derivation.facets[outer]));
  return topics;
}

/// Topic and docid; what they point to outlives them.
using Place = std::pair<std::string_view, std::string_view>;

/// Each place once, in order.
std::vector<QrelRecord> records_of(std::vector<Place> places) {
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::vector<QrelRecord> qrels;
  qrels.reserve(places.size());
  for (const auto& [topic, docid] : places) qrels.push_back({std::string(topic), std::string(docid), kAutomaticGrade});
  return qrels;
}

/// Judgments of a level, with the docids that `add_docids` gives for a passage. They point to what outlives the call.
template <class AddDocids>
std::vector<QrelRecord> qrels_with(const Derivation& derivation, QrelsLevel level, IdForm form,
                                   const AddDocids& add_docids) {
  std::vector<Place> places;
  std::vector<std::string_view> docids;
  for (const auto& passage : derivation.passages) {
    docids.clear();
    add_docids(passage, docids);
    if (docids.empty()) continue;
    for (const auto topic : topics_of(derivation, passage.facet, level, form))
      for (const auto docid : docids) places.emplace_back(topic, docid);
  }
  return records_of(std::move(places));
}

/// The topic cut after its page or after its outermost heading.
std::string cut(const std::string& topic, QrelsLevel level) {
  auto end = topic.find('/');
  if (level == QrelsLevel::kToplevel && end != std::string::npos) end = topic.find('/', end + 1);
  return topic.substr(0, end);
}

/// The topic and all that it begins with before a `/`.
std::vector<std::string> prefixes(const std::string& topic) {
  std::vector<std::string> all;
  for (auto end = topic.find('/'); end != std::string::npos; end = topic.find('/', end + 1))
    all.push_back(topic.substr(0, end));
  all.push_back(topic);
  return all;
}

}  // namespace

std::vector<QrelRecord> passage_qrels(const Derivation& derivation, QrelsLevel level, IdForm form) {
  return qrels_with(derivation, level, form, [](const RelevantPassage& passage, std::vector<std::string_view>& docids) {
    docids.push_back(passage.id);
  });
}

std::vector<QrelRecord> entity_qrels(const Derivation& derivation, QrelsLevel level, IdForm form) {
  return qrels_with(derivation, level, form, [](const RelevantPassage& passage, std::vector<std::string_view>& docids) {
    for (const auto& entity : passage.entities) docids.push_back(entity.page_id);
  });
}

std::vector<QrelRecord> support_passage_qrels(const Derivation& derivation, IdForm form) {
  std::deque<std::string> ids;  // does not move what it holds
  return qrels_with(derivation, QrelsLevel::kTree, form,
                    [&](const RelevantPassage& passage, std::vector<std::string_view>& docids) {
                      for (const auto& entity : passage.entities)
                        docids.push_back(ids.emplace_back(passage.id + "/" + entity.page_id));
                    });
}

std::vector<FacetedQrel> faceted_qrels(const Derivation& derivation, IdForm form) {
  std::vector<FacetedQrel> judgments;
  const std::string& topic = id_in(form, derivation.topic);
  for (const auto& passage : derivation.passages) {
    for (const auto facet : facets_on_the_way(derivation, passage.facet))
      judgments.push_back({{topic, passage.id, kAutomaticGrade}, id_in(form, derivation.facets[facet])});
  }
  const auto place = [](const FacetedQrel& judgment) { return std::tie(judgment.facet, judgment.qrel.docid); };
  std::sort(judgments.begin(), judgments.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  judgments.erase(std::unique(judgments.begin(), judgments.end(),
                              [&](const auto& a, const auto& b) { return place(a) == place(b); }),
                  judgments.end());
  return judgments;
}

std::vector<QrelRecord> qrels_of_level(std::span<const QrelRecord> hierarchical, QrelsLevel level) {
  std::map<std::pair<std::string, std::string>, int> grades;
  const auto judge = [&](std::string topic, const QrelRecord& qrel) {
    const auto [place, is_new] = grades.try_emplace({std::move(topic), qrel.docid}, qrel.grade);
    if (!is_new) place->second = std::max(place->second, qrel.grade);
  };
  for (const auto& qrel : hierarchical) {
    if (level == QrelsLevel::kTree) {
      for (auto& topic : prefixes(qrel.topic)) judge(std::move(topic), qrel);
    } else {
      judge(level == QrelsLevel::kHierarchical ? qrel.topic : cut(qrel.topic, level), qrel);
    }
  }
  std::vector<QrelRecord> qrels;
  qrels.reserve(grades.size());
  for (const auto& [place, grade] : grades) qrels.push_back({place.first, place.second, grade});
  return qrels;
}

}  // namespace touchstone::collection::automatic
