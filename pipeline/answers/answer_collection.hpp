#pragma once

#include "common/ids.hpp"
#include "pipeline/answers/answer_file.hpp"
#include "pipeline/answers/answer_names.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace touchstone::pipeline::answers {

/// A topic with its complete answer.
struct AnswerTopic {
  std::string words;  ///< query, list, sections and column, a line each
  PageId list_page;   ///< the page with the list
  std::set<PageId> members;
};

/// What a released evidence collection says about the topics of some answers, and about the passages that they cite.
struct AnswerCollection {
  std::string language;
  std::map<std::string, AnswerTopic> topics;            ///< all of them
  std::unordered_set<PageId> members;                   ///< of any topic
  std::unordered_map<PageId, std::string> titles;       ///< of members, and of pages that answers may name
  std::unordered_map<std::string, std::string> docids;  ///< cited docid -> that of the passage in the corpus
  /// (topic, docid, member): the passage is evidence for the member. Only topics that are answered.
  std::set<std::tuple<std::string, std::string, PageId>> evidence;
  NameBeginnings beginnings;
  std::unique_ptr<AnswerNames> names;  ///< of members and pages
};

/// Reads manifest.json, queries.jsonl, members.jsonl, corpus.jsonl.gz and judgments.jsonl.gz of a collection.
/// Memory: members with their aliases, and the pages whose titles the answers may hold. Throws StorageError and
/// FormatError with file, line and remedy.
std::unique_ptr<AnswerCollection> read_answer_collection(const std::filesystem::path& directory,
                                                         const std::vector<Answer>& answers);

}  // namespace touchstone::pipeline::answers
