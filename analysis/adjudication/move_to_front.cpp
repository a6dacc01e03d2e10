#include "analysis/adjudication/methods.hpp"
#include "analysis/adjudication/run_cursors.hpp"
#include "analysis/statistics/random.hpp"

#include <limits>

namespace touchstone::analysis::adjudication::internal {
namespace {

class MoveToFront : public Adjudicator {
 public:
  MoveToFront(const TopicPool& pool, std::uint64_t seed, std::uint64_t topic_seed)
      : cursors_(pool), priorities_(pool.runs.size()), random_(seed, topic_seed) {}

  std::optional<std::uint32_t> next() override {
    if (document_) return document_;
    if (run_) document_ = cursors_.next(*run_);
    if (!document_ && (run_ = draw_run())) document_ = cursors_.next(*run_);
    return document_;
  }

  void judge(bool relevant) override {
    cursors_.judge(*document_);
    document_.reset();
    if (relevant) return;
    --priorities_[*run_];
    run_.reset();
  }

 private:
  /// One of the runs of highest priority that have a document left.
  std::optional<std::size_t> draw_run() {
    std::vector<std::size_t> candidates;
    auto highest = std::numeric_limits<std::int64_t>::min();
    for (std::size_t run = 0; run < priorities_.size(); ++run) {
      if (priorities_[run] < highest || !cursors_.next(run)) continue;
      if (priorities_[run] > highest) candidates.clear();
      highest = priorities_[run];
      candidates.push_back(run);
    }
    if (candidates.empty()) return std::nullopt;
    return candidates[random_.below(static_cast<std::uint32_t>(candidates.size()))];
  }

  RunCursors cursors_;
  std::vector<std::int64_t> priorities_;
  statistics::Random random_;
  std::optional<std::size_t> run_;
  std::optional<std::uint32_t> document_;
};

}  // namespace

std::unique_ptr<Adjudicator> make_move_to_front(const TopicPool& pool, std::uint64_t seed, std::uint64_t topic_seed) {
  return std::make_unique<MoveToFront>(pool, seed, topic_seed);
}

}  // namespace touchstone::analysis::adjudication::internal
