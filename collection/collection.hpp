#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace touchstone::formats {

/// An information need of an evidence collection: one column of one list table.
struct TopicRecord {
  std::string id;            ///< short digest of `structured`; no white space
  std::string query;         ///< what a search user would type
  std::string query_source;  ///< what phrased it: "template/1", or a model and prompt digest
  std::string structured;    ///< `article » section » subsection » column`
  std::string page;          ///< title of the list page
  std::uint64_t page_id = 0;
  std::vector<std::string> section_path;  ///< headings above the table; empty in the lead
  std::string column;                     ///< header text
};

/// One entity of a topic's group.
struct MemberRecord {
  std::string topic;
  std::string title;
  std::uint64_t page_id = 0;
  std::string qid;                   ///< Wikidata item, empty when unknown
  std::vector<std::string> aliases;  ///< titles of redirects to the page, sorted
  std::uint64_t candidates = 0;      ///< passages that were judged or to be judged for it
  std::uint64_t evidence = 0;        ///< of these, judged as evidence
};

/// A passage of the corpus.
struct PassageRecord {
  std::string docid;  ///< `<wiki>-<page id>-<ordinal>`
  std::string title;  ///< page title
  std::string text;   ///< no tabs and line breaks
  std::uint64_t page_id = 0;
  std::uint32_t ordinal = 0;
  std::vector<std::string> section_path;
};

/// What one judge, or one sample, said where several were asked.
struct VoteRecord {
  std::string judge;
  std::optional<int> grade;
  std::optional<double> probability;
  std::string state = "judged";
  std::string digest;  ///< key of its verbatim reply in the store
};

/// One judgment of one (topic, member, passage), or the reason why there is none.
struct JudgmentRecord {
  std::string topic, docid;
  std::string member;  ///< title
  std::uint64_t member_page_id = 0;
  std::string digest;            ///< key of the verbatim reply in the store
  std::string judge;             ///< e.g. "lexical/1 (baseline)"
  std::string prompt;            ///< digest of the prompt, empty for judges without one
  std::optional<int> grade;      ///< absent: not judged, see `state`
  std::string state = "judged";  ///< judged, unparseable, refused, filtered, truncated, length-limited, failed, tied
  std::optional<double> probability;                              ///< of "yes", 0..1
  std::string reason;                                             ///< what the judge says
  bool own_article = false;                                       ///< the passage is from the member's own page
  std::vector<std::pair<std::uint32_t, std::uint32_t>> mentions;  ///< code points of the links to the member
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spans;     ///< code points of supporting text, when asked for
  std::vector<VoteRecord> votes;                                  ///< only where several judges or samples were asked
  std::string reply;  ///< only without a grade: what was said instead, verbatim
};

/// (topic, docid, grade) as in `qrels.txt`.
struct QrelRecord {
  std::string topic, docid;
  int grade = 0;
};

/// Something that was left out, for `discarded.tsv`.
struct DiscardedRecord {
  std::string kind;  ///< "column", "topic", "member"
  std::string page;
  std::vector<std::string> section_path;
  std::string column;
  std::string reason;  ///< short and countable, e.g. "empty cell", "too few members"
  std::string detail;  ///< numbers or the cell that decided
};

/// What the collection says of itself: goes to manifest.json, README.md and croissant.json.
struct CollectionInfo {
  std::string name;  ///< "shintowiki-20260531-evidence"
  std::string wiki;  ///< database name
  std::string site_name, base_url, language;
  std::string license;         ///< of the texts, e.g. "unknown: see the wiki"; SPDX where known
  std::string judge;           ///< judge id
  bool baseline_judge = true;  ///< labels by the embedded judge: said in every file for readers
  std::string mode;            ///< "strict" or "lenient"
  std::string corpus_scope;    ///< e.g. "lead section of every article, one passage each"
  std::vector<std::string> dump_names;
  std::string dump_date;  ///< newest revision time in the dumps, ISO 8601: no wall clock in artifacts
  std::string program_version;
  std::string manifest_json;  ///< effective config, stage counts, dump digests: merged into manifest.json
};

/// The numbers that describe an evidence collection, as the D-MERIT paper reports them.
struct CollectionNumbers {
  std::uint64_t topics = 0, members = 0, distinct_members = 0, passages = 0;
  std::uint64_t judgments = 0, judged_yes = 0, judged_no = 0, unjudged = 0;
  std::uint64_t qrels = 0, evidence = 0;
  double members_mean = 0, members_median = 0;
  std::uint64_t members_min = 0, members_max = 0;
  double evidence_mean = 0, evidence_median = 0;
  std::uint64_t evidence_min = 0, evidence_max = 0;
  double outside_own_article = 0;  ///< share of evidence not from an own article of one of the topic's members
  struct Bucket {
    std::string label;  ///< "1-10", "11-20", ...: members per topic
    std::uint64_t topics = 0, members = 0, evidence = 0;
    double evidence_mean = 0;
  };
  std::vector<Bucket> buckets;
  std::map<std::string, std::uint64_t> discarded;  ///< reason -> count
};

/// Writes a collection directory, streaming: held in memory are the topic ids and counts, the grades of one topic, and
/// the discarded (which are sorted, so that their order of arrival does not show).
///
/// Files: topics.tsv qrels.txt corpus.jsonl.gz queries.jsonl qrels/test.tsv members.jsonl judgments.jsonl.gz
/// unjudged.jsonl discarded.tsv manifest.json README.md croissant.json sha256sums.txt (docs/collection.md).
/// The directory is built beside its final place, as `<directory>.partial`, and renamed by `finish()`, so a killed run
/// leaves the older one whole; one that is killed between the two renames is put right when the next writer starts.
/// Each kind must come in its order, bytewise: topics by id; members by (topic, title); passages by (page id, ordinal);
/// judgments by (topic, member page id, docid); discarded in any order; a topic before its members and judgments.
/// TS_CHECKs the orders, grades, states and probabilities. Not thread-safe. Throws StorageError, and FormatError for an
/// id that readers of the files cannot bear, a passage or query without text, or a `manifest_json` that is no object of
/// new names.
class CollectionWriter {
 public:
  CollectionWriter(std::filesystem::path directory, CollectionInfo info);
  ~CollectionWriter();

  void add(const TopicRecord& topic);
  void add(const MemberRecord& member);
  void add(const PassageRecord& passage);
  void add(const JudgmentRecord& judgment);
  void add(const DiscardedRecord& discarded);

  /// A passage's grade is the highest over its members' judgments; without any grade it is left out. Returns the
  /// numbers, which are in manifest.json as well. To be called once, last; without it nothing appears.
  CollectionNumbers finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// What `validate` found. Never more than `kMaxProblems` are kept, all are counted.
struct Problem {
  std::string file;
  std::uint64_t line = 0;  ///< 0: the file as a whole
  std::string what;        ///< one sentence, with the offending value and what to do
};
struct ValidationReport {
  std::vector<Problem> problems;
  std::uint64_t problem_count = 0;
  std::map<std::string, std::uint64_t> counts;  ///< topics, passages, qrels, ...
  bool ok() const noexcept { return problem_count == 0; }
};
inline constexpr std::size_t kMaxProblems = 100;

/// Checks a collection directory: files present and as in sha256sums.txt; ids safe, unique and defined; documents not
/// empty; qrels sorted, in range, without duplicates, their topics and docids defined; TREC and BEIR forms equal;
/// judgments, members and qrels consistent; every file reads back to the bytes it came from. Memory: the ids.
/// Throws StorageError only when the directory cannot be read at all.
ValidationReport validate_collection(const std::filesystem::path& directory);

/// What manifest.json says.
struct CollectionSummary {
  CollectionInfo info;
  CollectionNumbers numbers;
};

/// Reads manifest.json alone. Throws StorageError when it cannot be read, FormatError when it is damaged, of something
/// else, or of a format version that this program does not read; each with the remedy.
CollectionSummary read_collection_summary(const std::filesystem::path& directory);

/// How much of a collection its report page embeds. The numbers are always of the whole; what is left out is said on
/// the page, with the file that has it.
struct ReportLimits {
  std::size_t max_topics = 400;                   ///< opened with members and passages: the first ones by id
  std::size_t max_listed_topics = 20'000;         ///< at least named in the list
  std::size_t max_members = 300;                  ///< a topic
  std::size_t max_evidence = 60;                  ///< a topic
  std::size_t max_not_evidence = 15;              ///< a topic, judged no and not judged each
  std::size_t max_passage_code_points = 2500;     ///< longer passages are cut around the first mention
  std::size_t max_discarded = 2000;               ///< rows
  std::size_t max_bytes = std::size_t{24} << 20;  ///< of passage texts over all topics
};

/// Reads a collection directory and gives its self-contained report page (HTML5, no outside resource). Throws
/// StorageError and FormatError as the readers of the files do. Memory: the page, twice.
/// \param judging  what judging took, as the judge stage writes it (docs/judging.md); empty: no such section
std::string render_report(const std::filesystem::path& directory, const ReportLimits& limits = {},
                          std::string_view judging = {});

}  // namespace touchstone::formats
