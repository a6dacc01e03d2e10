#include "pipeline/judging/asking_loop.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/log.hpp"
#include "common/stop.hpp"
#include "pipeline/corpus/previous_work.hpp"
#include "pipeline/flow/work_files.hpp"
#include "pipeline/judging/question_walk.hpp"

#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace touchstone::pipeline::judging {
namespace {

using Clock = std::chrono::steady_clock;

/// Questions that are claimed together. Fewer leave less to the last job after a crash, more spare the disk.
constexpr std::uint64_t kLotQuestions = 2048;
constexpr std::size_t kShownDigits = 8;

class AskingLoop {
 public:
  AskingLoop(flow::WriteContext& context, const JudgePanel& panel, const SharedQuestions& questions,
             TopicQueries queries)
      : context_(context),
        panel_(panel),
        share_(questions.share),
        asking_(questions.asking),
        replies_(questions.replies),
        patience_(questions.patience),
        prefix_(
            fmt::format("{}-{}-of-{}", context.fingerprint().substr(0, kShownDigits), share_.index + 1, share_.count)),
        walk_(context.store, context.options<corpus::TextOptions>(), passages::PassageCorpus(context),
              CandidateReader(context.input(kGroupsFile), context.input(kCandidatesFile)), std::move(queries),
              context.threads, context.stop),
        opened_(panel.size(), false) {
    if (context.options<KeepOptions>().near)
      walk_.keep(context.options<corpus::PreviousOptions>().work, replies_,
                 [this](const auto& kept) { replies_.add_computed(kept); });
    walk_.choose(
        [share = share_](const evidence::Group& group) { return xxh3_64(group.page) % share.count == share.index; });
  }

  void run() {
    for (const auto& judge : panel_) judge->prepare(walk_.corpus());
    for (const auto& judge : panel_) judge->resume();
    try {
      while (pass()) {
        for (const auto& judge : panel_) judge->finish();
      }
      for (const auto& judge : panel_) judge->finish();
    } catch (const Interrupted&) {
      // All that was in flight is stored.
      asking_.release_claims();
      throw;
    }
    const auto counts = asked();
    log_info("judge: share {} of {}: {} questions asked, {} answered, {} retries; {} prompt tokens, {} reply tokens",
             share_.index + 1, share_.count, counts.asked, counts.answered, counts.retries, counts.prompt_tokens,
             counts.reply_tokens);
  }

 private:
  /// True if anything was asked.
  bool pass() {
    bool any = false;
    std::uint64_t seen = 0;
    const auto begin_reads = [&] {
      for (const auto& judge : panel_) judge->begin_reads();
    };
    walk_.run(panel_, Ungraded::kKeep, begin_reads, [&](ReadChunk& read) {
      const auto lot = seen / kLotQuestions;
      seen += read.readings.size();
      if (open_judges(read, lot)) walk_.begin_round();
      walk_.refresh(panel_, Ungraded::kKeep, read);
      any |= take(read, lot);
    });
    return any;
  }

  bool take(ReadChunk& read, std::uint64_t lot) {
    std::vector<llm_client::ReplyStore::Entry> computed;
    bool any = false;
    for (auto& reading : read.readings) {
      std::move(reading.computed.begin(), reading.computed.end(), std::back_inserter(computed));
      for (auto& [judge, request] : reading.pending) {
        if (!may_ask(lot)) break;
        panel_[judge].ask(std::move(request));
        any = true;
      }
    }
    replies_.add_computed(computed);
    return any;
  }

  /// Whether the lot is this process's own, and nobody has ended the asking.
  bool may_ask(std::uint64_t lot) {
    constexpr auto kBetweenLooks = std::chrono::seconds(1);
    const auto [claim, is_new] = lots_.try_emplace(lot, false);
    if (is_new) claim->second = asking_.claim(fmt::format("{}-lot-{}", prefix_, lot));
    const auto now = Clock::now();
    if (!closed_ && now - looked_at_ > kBetweenLooks) {
      closed_ = asking_.is_closed();
      looked_at_ = now;
    }
    return claim->second && !closed_;
  }

  /// Opens the judges that are about to get their first request. True when that changed what was read.
  bool open_judges(const ReadChunk& read, std::uint64_t lot) {
    bool changed = false;
    for (const auto& reading : read.readings) {
      for (const auto& pending : reading.pending) {
        if (opened_[pending.judge] || !may_ask(lot)) continue;
        opened_[pending.judge] = true;
        changed |= open(pending.judge);
      }
    }
    return changed;
  }

  /// One process tries the server; the others wait for what it finds.
  bool open(std::size_t judge) {
    constexpr auto kBetweenLooks = std::chrono::milliseconds(500);
    const auto name = fmt::format("{}-server-{}", prefix_.substr(0, kShownDigits), judge);
    if (!asking_.claim(name)) {
      const auto end = Clock::now() + patience_;
      while (!asking_.is_done(name) && !asking_.claim(name) && !asking_.is_closed() && Clock::now() < end) {
        context_.stop.check();
        std::this_thread::sleep_for(kBetweenLooks);
      }
      replies_.refresh();
    }
    const bool changed = panel_[judge].open();
    asking_.tell_done(name);
    return changed;
  }

  llm_client::RequestCounts asked() const {
    llm_client::RequestCounts sum;
    for (const auto& judge : panel_) sum += judge->counts();
    return sum;
  }

  flow::WriteContext& context_;
  const JudgePanel& panel_;
  const flow::Shard share_;
  SharedAsking& asking_;
  SharedReplies& replies_;
  const std::chrono::seconds patience_;
  const std::string prefix_;  ///< of claims: the questions of another configuration are others
  QuestionWalk walk_;
  std::vector<bool> opened_;            // by judge
  std::map<std::uint64_t, bool> lots_;  // whether they are this process's
  bool closed_ = false;
  Clock::time_point looked_at_;
};

}  // namespace

void ask_share(flow::WriteContext& context, const JudgePanel& panel, const SharedQuestions& questions,
               TopicQueries queries) {
  AskingLoop(context, panel, questions, std::move(queries)).run();
}

}  // namespace touchstone::pipeline::judging
