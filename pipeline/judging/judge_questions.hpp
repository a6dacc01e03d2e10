#pragma once

#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/judging/judge.hpp"
#include "pipeline/passages/passage_corpus.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace touchstone::pipeline::judging {

/// What a search user would type, by topic id.
using TopicQueries = std::map<std::string, std::string>;

/// One question to a judge with what its answer is filed under.
struct JudgeQuestion {
  JudgeRequest request;
  PageId member_page;
  /// Why the passage is a candidate, and where it names or links to the member. Neither is part of the request, so that
  /// a judge is not asked again when another source finds the same passage.
  CandidateSource source = CandidateSource::kLink;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> mentions = {};
  PageId page = {};  ///< of the passage
};

/// Some of the candidates of a topic.
struct CandidateChunk {
  const evidence::Group* group = nullptr;
  evidence::TopicCandidates candidates;
  bool last = false;  ///< of its topic
};

/// Reads what the stages before have left for the judge: groups, and the candidates chunk by chunk, so that a topic
/// with many of them needs no more memory than others.
class CandidateReader {
 public:
  /// Throws StorageError and FormatError with the remedy.
  CandidateReader(std::filesystem::path groups_file, std::filesystem::path candidates_file);

  const std::map<std::string, evidence::Group>& groups() const noexcept { return groups_; }
  /// Number of questions; reads the whole file.
  std::uint64_t count() const;
  /// Calls `use` for each chunk of at most `chunk_size` candidates, topic by topic in the file's order; a topic without
  /// candidates is one empty chunk.
  void for_each_chunk(std::size_t chunk_size, const std::function<void(CandidateChunk)>& use) const;

 private:
  void for_each_topic(const std::function<void(const evidence::Group&, evidence::TopicCandidates)>& use) const;

  std::filesystem::path candidates_file_;
  std::map<std::string, evidence::Group> groups_;
};

/// Composes the questions of candidates, in their order. Thread-safe as its arguments are. Throws FormatError when the
/// candidates do not belong to this store.
/// \param query  of the topic; empty where no judge needs it
std::vector<JudgeQuestion> compose_questions(const corpus::TitleIndex& titles, const passages::PassageCorpus& passages,
                                             const evidence::Group& group, const evidence::TopicCandidates& candidates,
                                             const std::string& query);

}  // namespace touchstone::pipeline::judging
