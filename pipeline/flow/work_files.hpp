#pragma once

#include <string_view>

/// The names of all files and folders of a work directory besides the store, by their path in it. Those in `stages/`
/// are what stages hand to each other: files of records (common/records), or JSON lines and tables where people or
/// other programs read them.
namespace touchstone::pipeline {

// Evidence collections.

/// Columns of lists, kept and discarded, by page, as records (evidence/evidence_records.hpp).
inline constexpr std::string_view kGroupsFile = "stages/groups.records";
/// Sentences that are boilerplate: hash, number of pages, text.
inline constexpr std::string_view kBoilerplateFile = "stages/boilerplate.tsv";
/// The sentences of each article by their hashes, for the next dump: files of records (passages/boilerplate_stage.cpp),
/// ascending by page.
inline constexpr std::string_view kSentencesFolder = "stages/sentences";
/// The articles with their passages: files of records (passages/passage.hpp), ascending by page; and where each page is
/// in them (passages/passage_corpus.hpp).
inline constexpr std::string_view kPassagesFolder = "stages/passages";
inline constexpr std::string_view kPassageIndexFile = "stages/passage_index.records";
/// How they were composed, for the next dump: files of records (passages/composed_pages.hpp), one a file of
/// `kPassagesFolder`.
inline constexpr std::string_view kComposedFolder = "stages/composed";
/// Passages that repeat others, as records (passages/passage_repeats.hpp), by page and ordinal.
inline constexpr std::string_view kRepeatsFile = "stages/repeats.records";
/// Candidates, a record a topic, by topic.
inline constexpr std::string_view kCandidatesFile = "stages/candidates.records";
/// All judgments, with and without a grade, by (topic, member page id, docid).
inline constexpr std::string_view kJudgmentsFile = "stages/judgments.records";
/// Those without a grade, as JSON lines.
inline constexpr std::string_view kUnjudgedFile = "stages/unjudged.jsonl";
/// The words of the passages by their hashes, where the lexical judge counted them, for the next dump: files of records
/// (corpus/text_results.hpp), ascending by page.
inline constexpr std::string_view kPassageWordsFolder = "stages/passage_words";
/// What judging came to, in numbers, for the report.
inline constexpr std::string_view kSummaryFile = "stages/judging.json";
/// All replies of judges, kept over all runs (judging/judgment_log.hpp).
inline constexpr std::string_view kReplyLogFile = "judgments.log";
/// Logs of replies by tasks of a cluster, one an attempt, until they are taken over (judging/shared_replies.hpp); and
/// what such tasks tell each other (judging/shared_asking.hpp), which ends with the build.
inline constexpr std::string_view kReplyLogsFolder = "replies";
inline constexpr std::string_view kAskingFolder = "replies/journal";
/// Requests and results of batch jobs, a folder a judge. Kept over all runs, since jobs are paid for.
inline constexpr std::string_view kBatchesFolder = "batches";
/// Where people judge: tasks, and what they answered.
inline constexpr std::string_view kPeopleFolder = "people";
/// The words of some articles by their hashes, for the next dump (evidence/wording/common_words.cpp).
inline constexpr std::string_view kArticleWordsFile = "stages/article_words.records";
/// Queries, a record a topic.
inline constexpr std::string_view kQueriesFile = "stages/queries.records";
/// The queries for a person to keep, drop or reword (pipeline/review).
inline constexpr std::string_view kQueriesReviewFile = "queries-review.tsv";
/// What looks damaged of the passages, by the hashes of their texts, for the next dump (corpus/text_results.hpp).
inline constexpr std::string_view kPassageDamageFile = "stages/passage_damage.records";
/// The collection directory, and the file in it that describes it.
inline constexpr std::string_view kCollectionFolder = "collection";
inline constexpr std::string_view kManifestFile = "collection/manifest.json";
/// The page that describes the collection, and the folder of pages on which one browses its topics.
inline constexpr std::string_view kReportFile = "report.html";
inline constexpr std::string_view kReportFolder = "report";

// Automatic collections.

/// The articles as pages of TREC CAR: files of records (automatic/page_composer.hpp), ascending by page.
inline constexpr std::string_view kPagesFolder = "stages/pages";
/// Top-level headings that a hundredth of the articles have (automatic/heading_uses.hpp), ascending.
inline constexpr std::string_view kHeadingUsesFile = "stages/heading_uses.records";
/// Paragraphs that another one replaces (collection/automatic/near_duplicates.hpp).
inline constexpr std::string_view kNearDuplicatesFile = "stages/near_duplicates.tsv";
/// The pages that were chosen, as records (automatic/query_pages.hpp), ascending by page.
inline constexpr std::string_view kQueryPagesFile = "stages/query_pages.records";
/// By what pages can be told to be query pages or copies of them (collection/automatic/leak_index.hpp).
inline constexpr std::string_view kQueryPageIndex = "stages/query_page_index";
/// The texts of links to each page: files of records (automatic/page_anchors.hpp), one a file of `kPagesFolder`.
inline constexpr std::string_view kAnchorsFolder = "stages/anchors";
/// Titles without a page that are other forms of another one (entities/missing_titles.hpp), by title.
inline constexpr std::string_view kMissingTitlesFile = "stages/missing_titles.records";
/// The dictionary of the entity linker (linking/dictionary.hpp), with `automatic.linker` "own" or "terms".
inline constexpr std::string_view kLinkerDictionary = "stages/linker.dictionary";
/// How many pages each rule leaves out, as JSON, and as a table for people.
inline constexpr std::string_view kSelectionFile = "stages/selection.json";
inline constexpr std::string_view kSelectionTable = "stages/selection.txt";
/// Topics and headings for a person to keep, drop or reword.
inline constexpr std::string_view kAutomaticReviewFile = "automatic-review.tsv";
/// The collection directory, the file in it that describes it, and its digests.
inline constexpr std::string_view kAutomaticFolder = "automatic";
inline constexpr std::string_view kAutomaticManifest = "automatic/manifest.json";
inline constexpr std::string_view kAutomaticDigests = "automatic/sha256sums.txt";
/// The page that describes the collection, and the folder of pages on which one browses its topics.
inline constexpr std::string_view kAutomaticReportFile = "automatic-report.html";
inline constexpr std::string_view kAutomaticReportFolder = "automatic-report";

}  // namespace touchstone::pipeline
