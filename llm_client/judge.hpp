#pragma once

#include "common/judgment_state.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::llm_client {

/// One question to a judge: is `passage_text` evidence that `member` belongs to the group that the topic names?
struct JudgeRequest {
  std::string page;                       ///< title of the list page: "List of lighthouses of Ostrand"
  std::vector<std::string> section_path;  ///< headings above the table
  std::string column;                     ///< header of the column
  std::string member;                     ///< title of the member's page
  std::vector<std::string> aliases;       ///< titles of redirects to it
  std::string passage_title;
  std::string passage_text;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> mentions;  ///< code points of links to the member in the text
  bool own_article = false;                                       ///< the passage is from the member's own page
};

/// A judge's answer. `reply` is what it said, verbatim; the rest is read from it.
struct JudgeReply {
  std::string reply;
  JudgmentState state = JudgmentState::kFailed;
  std::optional<int> grade;                                    ///< only with kJudged
  std::optional<double> probability;                           ///< of evidence, 0..1
  std::string reason;                                          ///< in the judge's words, for people
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spans;  ///< code points of quotes, sorted, each once
  std::uint32_t quotes_not_found = 0;                          ///< quotes that are not in the passage, and so not kept
};

/// Judges requests. Implementations say whether they are thread-safe.
class Judge {
 public:
  virtual ~Judge() = default;

  /// Name for judgments and reports, with its version: "lexical/1 (baseline)".
  virtual std::string id() const = 0;
  /// True when the labels are a baseline and no substitute for a person's or a strong model's.
  virtual bool is_baseline() const = 0;
  /// Digest of the prompt, empty for a judge without one.
  virtual std::string prompt_digest() const = 0;
  /// Everything besides the request that the reply depends on (model, parameters, statistics), as text for the digest.
  virtual std::string parameters(const JudgeRequest& request) const = 0;
  /// Asks. Throws Error only when the run cannot go on.
  virtual std::string ask(const JudgeRequest& request) const = 0;
  /// Reads a verbatim reply; never finds a grade that is not in it.
  virtual JudgeReply read(std::string reply) const = 0;
};

/// Key of a reply: SHA-256 over judge, parameters, prompt and texts, but not over docids, so that next month's dump
/// asks again only for what changed.
std::string request_digest(const Judge& judge, const JudgeRequest& request);

}  // namespace touchstone::llm_client
