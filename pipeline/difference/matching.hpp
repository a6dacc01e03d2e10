#pragma once

#include "pipeline/difference/compared_collection.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Which topic and which passage of the new collection is which of the old one.
namespace touchstone::pipeline::difference {

inline constexpr std::uint32_t kNoPart = std::numeric_limits<std::uint32_t>::max();

enum class TopicChange : std::uint8_t { kSame, kReworded, kRenamed, kAdded, kGone };
inline constexpr std::pair<std::string_view, TopicChange> kTopicChanges[] = {{"same", TopicChange::kSame},
                                                                             {"reworded", TopicChange::kReworded},
                                                                             {"renamed", TopicChange::kRenamed},
                                                                             {"added", TopicChange::kAdded},
                                                                             {"gone", TopicChange::kGone}};

enum class PassageChange : std::uint8_t { kSame, kMoved, kEdited, kNew, kGone };
inline constexpr std::pair<std::string_view, PassageChange> kPassageChanges[] = {{"same", PassageChange::kSame},
                                                                                 {"moved", PassageChange::kMoved},
                                                                                 {"edited", PassageChange::kEdited},
                                                                                 {"new", PassageChange::kNew},
                                                                                 {"gone", PassageChange::kGone}};

/// A part of the old collection and what it is in the new one; kNoPart on one side if it was added or is gone.
template <class Change>
struct Pair {
  std::uint32_t old_part = kNoPart, new_part = kNoPart;
  Change change = {};
};

/// One row for each part of either collection: those of the old one in its order, then those that are new.
template <class Change>
struct Matching {
  std::vector<Pair<Change>> pairs;
  std::vector<std::uint32_t> new_of_old, old_of_new;  ///< kNoPart: there is none
};

/// Topics with the same id are the same; their query may be reworded. Of the others, topics of one list page, headings
/// and column are renamed, and so are those whose members overlap most, with a Jaccard index of at least .5.
Matching<TopicChange> match_topics(const ComparedCollection& before, const ComparedCollection& after);

/// Where the new collection tells the history of the labels of the old one, passages are paired as it says. Passages
/// with the same text on the same page are the same, or moved if their docid differs. So are those with the
/// same docid and text whatever their page is called now. Of the others, those with the same docid are edited, then
/// those with the same text on another page are moved, then those under the same headings of a page, in their order,
/// are edited.
Matching<PassageChange> match_passages(const ComparedCollection& before, const ComparedCollection& after);

/// Whether the second collection tells what became of the labels of the first one.
bool follows(const ComparedCollection& before, const ComparedCollection& after);

/// Whether the page ids of all members of a topic are known.
bool knows_pages(const ComparedTopic& topic);

/// The titles of a topic's members by what tells them apart in both collections: page ids, or titles where one of the
/// collections does not know ids.
std::map<std::string, std::string> members_by_key(const ComparedTopic& topic, bool by_page);

/// A page in both collections: by id, or by title where there is none.
std::string page_key(const ComparedPassage& passage);

}  // namespace touchstone::pipeline::difference
