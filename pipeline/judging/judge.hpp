#pragma once

#include "common/error.hpp"
#include "common/stop.hpp"
#include "llm_client/judge_answer.hpp"
#include "llm_client/reply_store.hpp"
#include "llm_client/requester.hpp"
#include "pipeline/corpus/results_before.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace touchstone::pipeline::judging {

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
  std::string query = {};  ///< what a search user would type for the topic; only where a judge needs it
  bool lead = false;       ///< the passage is above the first heading of its page
  /// For people alone, so that no answer of a model depends on them: the name of the passage, and the passages before
  /// and behind it on its page.
  std::string docid = {}, before = {}, after = {};
};

/// What a language model adds to the description of a judge.
struct ModelDescription {
  std::string model, prompt_name;
  bool priced = false;  ///< what its tokens cost is known
};

/// What a judge is, without the means to ask it.
struct JudgeDescription {
  std::string id;                ///< in judgments and votes, with its version: "lexical/6 (baseline)"
  std::string name;              ///< in names of panels and in summaries: "lexical"
  bool is_baseline = false;      ///< its labels are no substitute for a person's or a strong model's
  bool answers_at_once = false;  ///< it computes its answers and asks nobody
  std::string prompt_digest;     ///< empty for a judge without a prompt
  std::uint32_t replies = 1;     ///< to each question
  int highest_grade = 1;         ///< grades start at 0
  int evidence_grade = 1;        ///< lowest grade that is evidence
  bool needs_queries = false;    ///< JudgeRequest::query is part of its questions
  std::string fingerprint;       ///< all that its answers depend on besides the question, as text
  std::optional<ModelDescription> model;
};

/// One reply of a judge, and the answer that was read from it.
struct Sample {
  std::string digest;                             ///< the reply is filed under
  std::optional<llm_client::StoredReply> stored;  ///< without the text; nothing when no reply came
  llm_client::JudgeAnswer answer;
};

/// What a judge has said to one question so far. The question is answered when nothing is pending.
struct JudgeReading {
  std::vector<Sample> samples;
  std::vector<llm_client::PendingRequest> pending;      ///< to be asked
  std::vector<llm_client::ReplyStore::Entry> computed;  ///< replies that were made just now, to be stored
};

/// What becomes of replies without a grade.
enum class Ungraded : std::uint8_t {
  kKeep,     ///< they are the answer
  kAskAgain  ///< their question is pending, under a new digest
};

/// What a judge may look at before the first question.
struct JudgingCorpus {
  const storage::Store& store;
  const corpus::TitleIndex& titles;
  const passages::PassageCorpus& passages;
  const std::map<std::string, evidence::Group>& groups;  ///< by topic
  int threads = 1;
  const StopFlag& stop;
  corpus::ResultPlaces words = {};  ///< folders that a judge may keep the words of passages in
};

/// What requests will take.
struct RequestEstimate {
  std::uint64_t requests = 0, prompt_tokens = 0, most_reply_tokens = 0;
  llm_client::PicoDollars cost = 0;  ///< with replies at their longest, and nothing read from caches
  bool exact_tokens = true;          ///< counted by the server's tokenizer; else guessed

  RequestEstimate& operator+=(const RequestEstimate& other) noexcept {
    requests += other.requests;
    prompt_tokens += other.prompt_tokens;
    most_reply_tokens += other.most_reply_tokens;
    cost += other.cost;
    exact_tokens = exact_tokens && other.exact_tokens;
    return *this;
  }
};

/// A judge: a word matcher, a language model behind a server, files of a batch API, people.
///
/// The judging loop reads all questions. Where replies are pending it asks for them, and when all have come it reads
/// again; results are written from replies that are stored, and from nothing else. `read` is called by many threads at
/// once, everything else by one, and never during a `read`.
class Judge {
 public:
  virtual ~Judge() = default;

  virtual const JudgeDescription& description() const = 0;

  /// To be called before the first `read` of a run that writes results. May take long.
  virtual void prepare(const JudgingCorpus& /*corpus*/) {}

  /// Stores the replies to what earlier runs asked and left under way.
  virtual void resume() {}

  /// What the judge has said to a question, by the replies that are stored; a judge that answers at once computes what
  /// is missing. Sends nothing.
  virtual JudgeReading read(const std::string& topic, const JudgeRequest& request, Ungraded ungraded) const = 0;

  /// To be called before `read` is given the next lot of questions: replies that are stored from now on may have been
  /// missed there, and `ask` leaves out requests that they answer.
  virtual void begin_reads() {}

  /// Makes ready for the first `ask` of a run. True when that changed what `read` returns: requests that were read
  /// before have to be read again.
  virtual bool open() { return false; }

  /// Asks. A request that is under way is not asked twice. Throws Interrupted when the run must stop; the next run goes
  /// on from there.
  virtual void ask(
      llm_client::PendingRequest /*request*/) {  // NOLINT(performance-unnecessary-value-param): kept by judges
    TS_CHECK(false, "a judge whose requests are pending can be asked");
  }

  /// Returns when each request has a reply, or was given up. Throws as `ask`: so does a judge whose answers take longer
  /// than a run, such as people; its message says where they are waited for.
  virtual void finish() {}

  /// Requests of this run. May be called at any time, from any thread.
  virtual llm_client::RequestCounts counts() const { return {}; }

  /// What these requests would take. May ask the server's tokenizer, which costs nothing.
  virtual RequestEstimate estimate(const std::vector<const llm_client::PendingRequest*>& requests) {
    return {.requests = requests.size()};
  }
};

}  // namespace touchstone::pipeline::judging
