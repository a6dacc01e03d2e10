#include "collection/evidence/validation/validator.hpp"

#include <tuple>

// What a collection says of the labels of the one before it.
namespace touchstone::collection::evidence::validation {
namespace {

/// A (topic, member, docid), as one number.
std::uint64_t label_hash(const std::string& topic, std::uint64_t member, const std::string& docid) {
  return xxh3_64(topic + "\n" + std::to_string(member) + "\n" + docid);
}

}  // namespace

void Validator::check_history(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment) {
  const std::string where = " of " + pair_name(judgment.topic, judgment.docid);
  if (judgment.history.has_value() != has_.history) {
    problem(name, number,
            has_.history ? "has no history" + where + ", though manifest.json names a previous_manifest; export the " +
                               "collection again"
                         : "has a history" + where + ", though manifest.json names no previous_manifest; export the " +
                               "collection again");
    return;
  }
  if (judgment.history && judgment.history->state == LabelState::kKept && judgment.kept_from.empty())
    problem(name, number,
            "says that the label" + where + " was kept, but not from which question; export the collection again");
  if (!judgment.history || judgment.history->state == LabelState::kNew) return;
  const auto& from = judgment.history->from;
  const auto& docid = from.empty() ? judgment.docid : from;
  if (!from.empty()) check_id(name, number, "docid", from);
  if (from == judgment.docid)
    problem(name, number, "says that the label" + where + " came from its own docid; leave \"from\" out");
  if (!known_before_.insert(label_hash(judgment.topic, judgment.member_page_id, docid)).second)
    problem(name, number,
            "goes on with the label" + where + " of docid " + quote(docid) +
                ", which another judgment goes on with too; export the collection again");
}

void Validator::check_gone() {
  if (!has_.history) return;
  const std::string_view name = "gone.jsonl";
  std::tuple<std::string, std::uint64_t, std::string> before;
  std::uint64_t count = 0;
  read_lines(name, [&](std::string_view line, std::uint64_t number) -> std::string {
    const auto gone = reader_.gone(line);
    if (!gone) {
      problem(name, number, gone.error());
      return "";
    }
    auto key = std::tuple(gone->topic, gone->member_page_id, gone->docid);
    check_id(name, number, "topic id", gone->topic);
    check_id(name, number, "docid", gone->docid);
    if (count++ > 0 && key <= before)
      problem(name, number,
              "has " + pair_name(gone->topic, gone->docid) +
                  " a second time or out of order; sort by topic, member page id and docid");
    before = std::move(key);
    if (known_before_.contains(label_hash(gone->topic, gone->member_page_id, gone->docid)))
      problem(name, number,
              "says that " + pair_name(gone->topic, gone->docid) +
                  " is gone, but judgments.jsonl.gz goes on with it; export the collection again");
    counter_.gone(*gone);
    return gone_line(*gone);
  });
  report_.counts["labels gone"] = count;
}

}  // namespace touchstone::collection::evidence::validation
