#pragma once

#include "pipeline/difference/label_changes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace touchstone::pipeline::difference {

/// Tells why a label changed: by the history of the new collection if it follows the old one, otherwise by what both
/// directories say. Memory: an entry for each page. Thread-safe for reading.
class ChangeReasons {
 public:
  /// `comparison` has its matchings, and must outlive this.
  explicit ChangeReasons(const Comparison& comparison);

  /// The first reason that holds.
  /// \param old_label, new_label  null: not judged on that side
  LabelReason reason(const LabelChange& change, const ComparedLabel* old_label, const ComparedLabel* new_label) const;

 private:
  struct Page {
    std::string_view title;
    std::uint64_t revision = 0;
  };
  using Pages = std::unordered_map<std::string, Page>;  ///< by page_key
  /// The label that decides a change, from the side that has it.
  struct Decision {
    bool is_new = false;  ///< the new collection has it
    const ComparedLabel* label = nullptr;
    const ComparedLabel* other = nullptr;  ///< of the other side; may be null
  };

  static Pages pages_of(const ComparedCollection& collection);
  const ComparedCollection& side(bool is_new) const noexcept { return is_new ? comparison_.after : comparison_.before; }
  const Pages& pages(bool is_new) const noexcept { return is_new ? new_pages_ : old_pages_; }
  /// Unknown revisions may have changed.
  bool is_edited(const std::string& page) const;
  LabelReason unless_set(LabelReason otherwise) const;

  std::optional<LabelReason> of_history(const LabelChange& change, const Decision& decision) const;
  LabelReason of_topic(const ComparedTopic& topic, bool is_new) const;
  std::optional<LabelReason> of_members(const LabelChange& change, const Decision& decision) const;
  std::optional<LabelReason> of_passages(const LabelChange& change) const;
  LabelReason of_one_passage(const ComparedPassage& passage, bool is_new) const;
  std::optional<LabelReason> of_links(const LabelChange& change, const Decision& decision) const;
  LabelReason of_question(const LabelChange& change, const Decision& decision) const;
  std::optional<LabelReason> of_names(const LabelChange& change, std::uint64_t member) const;

  const Comparison& comparison_;
  const bool follows_;
  Pages old_pages_, new_pages_;
};

}  // namespace touchstone::pipeline::difference
