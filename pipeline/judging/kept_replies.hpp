#pragma once

#include "common/options.hpp"
#include "llm_client/reply_store.hpp"
#include "pipeline/judging/judge_panel.hpp"
#include "pipeline/judging/judge_questions.hpp"
#include "pipeline/judging/panel_reading.hpp"
#include "pipeline/passages/passage.hpp"
#include "pipeline/passages/passage_corpus.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Labels of evidence that are kept from the dump before although their passage was edited: the judge marked sentences
/// that prove it, and all of them are still there. The reply is stored again, under a key that follows from the
/// question of today, with the digest of the question that was asked. Only builds with the option look for such keys.
namespace touchstone::pipeline::judging {

struct KeepOptions {
  bool near = false;  ///< labels are kept from before an edit of their passage

  static std::vector<Option<KeepOptions>> options();
  static std::vector<std::string> problems(const Settings& settings);
};

/// Key of the reply that is kept for the question with this digest.
std::string kept_digest(const std::string& digest);

/// Whether every sentence that a span touches is a sentence of the text of today, letter for letter. False without
/// spans. Pure and thread-safe.
/// \param spans  code points of `before`, in order and apart
bool has_marked_sentences(const std::string& now, const std::string& before,
                          const std::vector<std::pair<std::uint32_t, std::uint32_t>>& spans);

/// Replies for all that is pending in a reading, with their keys. They are those to the same question about a passage
/// that the page had before, in which the panel found evidence and has_marked_sentences() holds. Nothing without such a
/// passage, and if something is asked again.
/// \param replies  where the panel's judges look too
std::vector<llm_client::ReplyStore::Entry> kept_replies(const JudgePanel& panel, const std::string& topic,
                                                        const JudgeQuestion& question, const PanelReading& reading,
                                                        const passages::PagePassages& before,
                                                        const llm_client::ReplyStore& replies);

/// The passages of the previous work directory, which is opened when somebody asks for one. Thread-safe.
class PreviousPassages {
 public:
  explicit PreviousPassages(std::filesystem::path work) : work_(std::move(work)) {}

  /// The page as it was, without passages if it was no article. Throws as corpus::open_previous, and StorageError if
  /// the directory has no passages.
  passages::PagePassages article(PageId page) const;

 private:
  const std::filesystem::path work_;
  mutable std::once_flag opened_;
  mutable std::unique_ptr<storage::Store> store_;
  mutable std::optional<passages::PassageCorpus> corpus_;
};

}  // namespace touchstone::pipeline::judging
