#include "pipeline/judging/kept_replies.hpp"

#include "common/digest.hpp"
#include "common/settings.hpp"
#include "common/unicode.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "pipeline/flow/work_paths.hpp"
#include "text/sentences.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace touchstone::pipeline::judging {
namespace {

using Entry = llm_client::ReplyStore::Entry;

/// A sentence of a text without the white space around it.
struct Sentence {
  std::string_view text;
  std::uint32_t begin = 0, end = 0;  ///< code points, with the white space
};

std::vector<Sentence> sentences_of(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\r";
  std::vector<Sentence> sentences;
  std::size_t from = 0;
  std::uint32_t begin = 0;
  for (const auto to : text::sentence_ends(text)) {
    auto sentence = text.substr(from, to - from);
    const auto end = begin + static_cast<std::uint32_t>(count_code_points(sentence));
    sentence.remove_prefix(std::min(sentence.find_first_not_of(kBlanks), sentence.size()));
    sentence = sentence.substr(0, sentence.find_last_not_of(kBlanks) + 1);
    sentences.push_back({sentence, begin, end});
    from = to;
    begin = end;
  }
  return sentences;
}

/// What is pending, with the replies to the same requests about the passage before; nothing if one has none.
std::vector<Entry> answers_to(const JudgePanel& panel, const std::string& topic, const JudgeRequest& before,
                              const PanelReading& reading, const llm_client::ReplyStore& replies) {
  std::vector<Entry> kept;
  for (const auto& [judge, request] : reading.pending) {
    const auto samples = panel[judge].read(topic, before, Ungraded::kKeep).samples;
    if (request.sample >= samples.size()) return {};
    const auto& asked = samples[request.sample].digest;
    auto reply = replies.find(asked);
    if (!reply) return {};
    if (reply->kept_from.empty()) reply->kept_from = asked;
    kept.push_back({kept_digest(request.digest), std::move(*reply)});
  }
  return kept;
}

}  // namespace

std::vector<Option<KeepOptions>> KeepOptions::options() {
  return {
      {"previous.keep_near", &KeepOptions::near,
       "Keep a label of evidence if an edit changed its passage, but no sentence that the judge quoted, and mark it "
       "as kept. The judge must be asked for quotes, as by the prompt evidence-spans. Needs previous.work."}};
}

std::vector<std::string> KeepOptions::problems(const Settings& settings) {
  if (!settings.get<KeepOptions>().near || !settings.get<corpus::PreviousOptions>().work.empty()) return {};
  return {"previous.keep_near keeps labels of an earlier collection: name its work directory with --previous"};
}

std::string kept_digest(const std::string& digest) {
  return Sha256().update_field("kept").update_field(digest).hex();
}

bool has_marked_sentences(const std::string& now, const std::string& before,
                          const std::vector<std::pair<std::uint32_t, std::uint32_t>>& spans) {
  std::set<std::string_view> of_today;
  for (const auto& sentence : sentences_of(now)) of_today.insert(sentence.text);
  bool marked = false;
  for (const auto& sentence : sentences_of(before)) {
    const bool touched = std::any_of(spans.begin(), spans.end(), [&](const auto& span) {
      return span.first < sentence.end && sentence.begin < span.second;
    });
    if (touched && !of_today.contains(sentence.text)) return false;
    marked |= touched;
  }
  return marked;
}

std::vector<Entry> kept_replies(const JudgePanel& panel, const std::string& topic, const JudgeQuestion& question,
                                const PanelReading& reading, const passages::PagePassages& before,
                                const llm_client::ReplyStore& replies) {
  const auto asks_again = [](const auto& pending) { return pending.request.asks_again; };
  if (std::any_of(reading.pending.begin(), reading.pending.end(), asks_again)) return {};
  auto then = question;
  then.request.passage_title = before.title;
  then.request.mentions.clear();  // models are not told; their places before are not known
  for (const auto& passage : before.passages) {
    then.request.passage_text = passage.text;
    then.request.lead = passage.section_path.empty();
    const auto answered = read_panel(panel, topic, then, Ungraded::kKeep);
    const auto& record = answered.record;
    if (!answered.pending.empty() || !record.grade || *record.grade < panel.description().evidence_grade()) continue;
    if (!has_marked_sentences(question.request.passage_text, passage.text, record.spans)) continue;
    if (auto kept = answers_to(panel, topic, then.request, reading, replies); !kept.empty()) return kept;
  }
  return {};
}

passages::PagePassages PreviousPassages::article(PageId page) const {
  std::call_once(opened_, [&] {
    store_ = corpus::open_previous(work_);
    corpus_.emplace(passages::checked_passages(*store_, flow::WorkPaths{work_}, corpus::NameOptions{}));
  });
  return corpus_->article(page).value_or(passages::PagePassages{});
}

}  // namespace touchstone::pipeline::judging
