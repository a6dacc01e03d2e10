#pragma once

#include "collection/evidence/records.hpp"
#include "pipeline/passages/passage_repeats.hpp"
#include "pipeline/release/month.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace touchstone::pipeline::release {

enum class Side : std::uint8_t { kBefore, kAfter };

/// What the reasons depend on besides the two months.
struct HistoryFacts {
  std::map<std::string, std::string> queries_before, queries_after;  ///< by topic, of the collections
  bool same_settings = true;                                         ///< of what makes lists, passages and candidates
  bool asks_for_query = false;                                       ///< the query is part of a question
  bool only_baselines = false;  ///< all judges weigh words by their number in the corpus
};

/// Tells why a label is not what it was in the month before. Each function gives the first reason that holds, from what
/// decides that there is a question at all to what is asked. Not thread-safe.
class LabelReasons {
 public:
  using Judgment = collection::evidence::JudgmentRecord;
  using Reason = collection::evidence::LabelReason;

  /// All must outlive this.
  LabelReasons(const Month& before, const Month& after, const HistoryFacts& facts)
      : before_(before), after_(after), facts_(facts) {}

  /// Of the labels of a topic that only one of the collections has.
  Reason of_topic(const std::string& topic, Side where) const;
  /// Of a label that only one of the collections has, in a topic that both have.
  Reason of_label(const Judgment& label, Side where) const;
  /// Of a label that both have, and for which another question was asked, or the same one with another result.
  Reason of_question(const Judgment& before, const Judgment& after) const;

  /// The passage that is this one now: by text or place on its page. Nothing if its page has none.
  std::optional<passages::PassagePlace> now(const passages::PassagePlace& place) const;
  /// The text of a label's passage; nothing if there is no such passage.
  std::optional<std::string> text_of(const Judgment& label, Side where) const;
  /// Frees what was kept of the pages of a topic.
  void forget() const;

 private:
  const Month& month(Side side) const noexcept { return side == Side::kBefore ? before_ : after_; }
  static Side other(Side side) noexcept { return side == Side::kBefore ? Side::kAfter : Side::kBefore; }

  bool is_edited(PageId page) const;
  bool is_edited(const evidence::Group& list) const;
  /// For what changed though no page did: options, else `otherwise`.
  Reason unless_set(Reason otherwise) const { return facts_.same_settings ? otherwise : Reason::kSettingsChanged; }
  /// Whether the passages at this place are shown for the same repeats in both months.
  bool has_same_repeats(const passages::PassagePlace& here, const passages::PassagePlace& there, Side where) const;
  /// Of a member that the list has on this side only.
  Reason of_member(PageId member, const evidence::Group& list, Side where) const;
  Reason of_links(const Judgment& label, const passages::PassagePlace& here, const passages::PassagePlace& there,
                  Side where) const;
  std::optional<Reason> of_titles(const TitleSet& here, const TitleSet& all_there, bool leads_there, PageId source,
                                  Side where) const;
  std::optional<Reason> of_names(PageId member) const;
  std::optional<Reason> of_other_page(const passages::PassagePlace& before, const passages::PassagePlace& after) const;
  std::optional<Reason> of_passage(const Judgment& before, const Judgment& after) const;

  const Month& before_;
  const Month& after_;
  const HistoryFacts& facts_;
  /// Of the pages that were asked for: ordinals of their passages before -> now.
  mutable std::map<PageId, std::map<std::uint32_t, std::uint32_t>> now_;
};

}  // namespace touchstone::pipeline::release
