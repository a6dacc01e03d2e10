#pragma once

#include "collection/evidence/audit_records.hpp"
#include "collection/evidence/collection_counter.hpp"
#include "collection/evidence/collection_files.hpp"
#include "collection/evidence/collection_lines.hpp"
#include "collection/evidence/evidence_join.hpp"
#include "collection/evidence/manifest.hpp"
#include "collection/evidence/topic_grades.hpp"
#include "collection/evidence/validation/id_table.hpp"
#include "collection/release/baseline_run.hpp"
#include "collection/release/validation.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "formats/trec/qrels.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace touchstone::collection::evidence::validation {

inline constexpr std::uint64_t kMaxCardBytes = std::uint64_t{1} << 26;

/// As problems show a value, and a (topic, docid).
std::string quote(std::string_view value);
std::string pair_name(std::string_view topic, std::string_view docid);

/// Checks an evidence collection.
class Validator : release::Validation {
 public:
  /// \param score  scores the baseline run; may be empty
  /// \param audit  computes again what follows from people's answers; may be empty
  Validator(std::filesystem::path directory, const StopFlag& stop, const release::BaselineScorer& score,
            const AuditExaminer& audit = {})
      : Validation(std::move(directory), stop, kMaxCollectionLineBytes), score_(score), audit_(audit) {}

  release::ValidationReport run();

 private:
  struct Qrel {
    std::uint32_t topic = 0;
    std::uint32_t docid = 0;
    int grade = 0;
    std::uint64_t line = 0;
    bool judged = false;
  };
  struct Passage {
    std::uint64_t page_id = 0;
    std::uint32_t code_points = 0;
    std::uint32_t title_hash = 0;
  };
  struct Member {
    std::string topic, title;
    std::uint64_t line = 0;
    std::uint64_t candidates = 0, evidence = 0;
    std::uint64_t judgments = 0, judged_yes = 0;
  };

  void check_id(std::string_view name, std::uint64_t number, const char* what, const std::string& id);
  static std::string member_key(const std::string& topic, std::uint64_t page_id);
  /// Of the files that a collection with these statements has.
  std::vector<std::string> names() const;
  bool is_ours(std::string_view name) const;

  /// Whether a file that follows from another one has the bytes with this digest.
  void check_follows(std::string_view file, Sha256 expected, std::string_view from);
  /// The files that follow from others; only where nothing else was wrong, so that one damage gives one message.
  void check_derived();

  // validator_texts.cpp
  void check_topics();
  void check_queries();
  void check_corpus();
  void check_docid(std::uint64_t number, const PassageRecord& passage);
  void check_repeats(std::uint64_t number, const PassageRecord& passage);
  /// Compares a title with that of the page's passages, if it has any. \pre the corpus was read in order
  void check_title(std::string_view name, std::uint64_t number, std::uint64_t page_id, const std::string& title);
  void check_topic(std::uint64_t number, const TopicRecord& topic);
  void check_topic_ids();
  void check_discarded();

  // validator_labels.cpp
  /// Takes from manifest.json what must be known before anything is read: the evidence grade, and whether there are
  /// reading copies, a baseline run and frozen topics. What cannot be read is reported later.
  void read_statements();
  /// Checks what both forms of the qrels share; the ids as numbers when they are defined.
  bool check_qrel(std::string_view name, std::uint64_t number, const formats::trec::QrelRecord& qrel, Qrel& checked);
  void check_qrels();
  void check_beir_qrels();
  void check_members();
  void check_judgments();
  void check_judgment(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment,
                      const std::optional<std::string>& unknown_state);
  void check_votes(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment);
  void check_judged_member(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment);
  void check_judged_passage(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment);
  /// \param page_id  of the passage
  void check_source(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment, std::uint64_t page_id,
                    const std::string& where);
  void check_ranges(std::string_view name, std::uint64_t number, const char* what,
                    const std::vector<std::pair<std::uint32_t, std::uint32_t>>& ranges, std::uint32_t length,
                    const std::string& where);
  /// Compares the grades that a topic's judgments make with the qrels.
  void check_grades(const std::string& topic, TopicGrades& grades);
  void check_member_counts();
  void check_unjudged();

  // validator_history.cpp
  /// Where there is a history, each judgment has one, and it names docids and reasons as it should; elsewhere none has.
  void check_history(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment);
  void check_gone();

  // validator_audit.cpp
  /// Reads audit.jsonl, and notes the judgments that follow from it.
  void check_audit();
  /// Whether a judgment is as the audit left it. \param line  the judgment as it is written
  void check_audited_judgment(std::string_view name, std::uint64_t number, const JudgmentRecord& judgment,
                              std::string_view line);
  void check_audit_is_complete();
  /// Whether manifest.json and calibration.tsv say what follows from the answers.
  void check_audit_numbers();

  // validator_about.cpp
  void check_manifest();
  void check_card();
  void check_croissant();
  void check_croissant_json(const nlohmann::ordered_json& json);
  void check_croissant_fields(const nlohmann::ordered_json& json);

  // validator_claims.cpp
  void note_judges(const JudgmentRecord& judgment);
  /// What manifest.json says of judges, wiki, licence and so on.
  void check_claims();
  void check_judge_claims();
  void check_config_claims();
  /// Whether the build kept the topics of an earlier collection, by its options in the manifest.
  static bool keeps_topics(const CollectionInfo& info);
  void check_descriptions();
  /// Scores the baseline run. Afterwards manifest_ has these scores, so that other ones are found in what describes it.
  void check_baseline();
  /// Compares a JSON file with the tree that it should hold.
  void check_tree(std::string_view name, const std::string& expected);
  void check_card_text(const std::string& expected);

  const release::BaselineScorer& score_;
  const AuditExaminer& audit_;
  CollectionLineReader reader_;
  int evidence_grade_ = 1;
  FileGroups has_;                  ///< what manifest.json says that there is
  bool topics_are_frozen_ = false;  ///< they keep the titles that their lists had
  CollectionCounter counter_;
  std::unique_ptr<EvidenceJoin> evidence_;
  Sha256 plain_corpus_, pyserini_, docs_tsv_, qrels_json_;  ///< of the bytes that the derived files should have
  IdTable topics_, docids_, repeats_;
  std::vector<std::string> queries_;       ///< by topic
  std::vector<Passage> passages_;          ///< by docid
  std::vector<Qrel> qrels_;                ///< sorted by numbers once read
  std::set<std::string> judges_, voters_;  ///< as judgments name them; those whose votes count
  std::uint64_t topics_with_digest_ = 0;   ///< whose ids are digests of their structured queries
  std::optional<std::pair<std::uint64_t, std::string>> topic_without_digest_;  ///< the first other one, with its line
  std::string docids_prefix_;              ///< what is before page id and ordinal in the first docid
  std::vector<std::uint64_t> qrel_lines_;  ///< hashes of the BEIR forms, in file order
  std::map<std::string, std::uint64_t>
      by_people_;  ///< labels that people gave, with the hash of the judgment; see check_audit
  std::unordered_set<std::uint64_t> known_before_;  ///< hashes of the labels whose history says that they were there
  std::vector<std::uint64_t> unjudged_lines_;       ///< hashes of the judgments without a grade, in file order
  std::unordered_map<std::string, Member> members_;
  std::optional<Manifest> manifest_;
  bool topics_read_ = false, passages_read_ = false, qrels_read_ = false, members_read_ = false;
  bool judgments_read_ = false, discarded_read_ = false, topics_sorted_ = true, passages_sorted_ = true;
};

}  // namespace touchstone::collection::evidence::validation
