#include "pipeline/download/transfer.hpp"

#include "common/error.hpp"
#include "common/log.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <random>

namespace touchstone::pipeline::download {

namespace {

using llm_client::transport::FetchEnd;
using llm_client::transport::FetchResult;
using llm_client::transport::FileFetcher;
using llm_client::transport::FileHead;
using llm_client::transport::FileRequest;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kMostAtOnce = 2;
constexpr std::chrono::seconds kStallTimeout{60};
/// A stop request is noticed within this time.
constexpr milliseconds kLongestRound{200};

/// A transfer and how its attempts went.
struct Running {
  Transfer* transfer;
  int failures = 0;  // in a row, without a byte
  std::uint64_t received_before = 0;
  steady_clock::time_point due;
};

llm_client::transport::TransportOptions fetcher_options() {
  llm_client::transport::TransportOptions options;
  options.connect_timeout = milliseconds(30'000);
  options.reply_timeout = milliseconds(0);  // a dump takes hours
  options.stall_timeout = kStallTimeout;
  return options;
}

/// One run of the downloader.
class Round {
 public:
  Round(const Patience& patience, const StopFlag& stop)
      : patience_(patience), stop_(stop), fetcher_(fetcher_options()) {}

  void run(std::span<Transfer* const> transfers) {
    for (auto* transfer : transfers) waiting_.push_back({transfer, 0, 0, steady_clock::now()});
    while (!waiting_.empty() || !running_.empty()) {
      stop_.check();
      start_due();
      for (const auto& result : fetcher_.run(wait())) settle(result);
    }
  }

 private:
  void start_due() {
    const auto now = steady_clock::now();
    for (auto next = waiting_.begin(); next != waiting_.end() && running_.size() < kMostAtOnce;) {
      if (next->due > now) {
        ++next;
        continue;
      }
      next->received_before = next->transfer->received();
      fetcher_.start(next_tag_, next->transfer->request(), *next->transfer);
      running_.emplace(next_tag_++, *next);
      next = waiting_.erase(next);
    }
  }

  /// Until the next transfer is due, if it may then start.
  milliseconds wait() const {
    auto wait = kLongestRound;
    if (running_.size() == kMostAtOnce) return wait;
    for (const auto& each : waiting_)
      wait = std::min(wait, std::chrono::ceil<milliseconds>(each.due - steady_clock::now()));
    return std::max(wait, milliseconds(0));
  }

  void settle(const FetchResult& result) {
    auto each = running_.extract(result.tag).mapped();
    if (result.end == FetchEnd::kMayHeal) {
      each.due = steady_clock::now() + delay(each, result);
    } else if (each.transfer->settle(result)) {
      return;
    } else {
      each.due = steady_clock::now();
    }
    waiting_.push_front(each);
  }

  /// How long to wait after a failure. Throws Error if it is to be given up.
  milliseconds delay(Running& each, const FetchResult& result) {
    const auto& name = each.transfer->name();
    if (each.transfer->received() > each.received_before) each.failures = 0;
    if (++each.failures > patience_.max_failures)
      throw Error(fmt::format("{}: {} (failures in a row: {}); run the same command again to go on", name,
                              result.failure, each.failures));
    if (result.retry_after.value_or(milliseconds(0)) > patience_.longest_retry_after)
      throw Error(fmt::format("{}: {} and asks to come back in {} s; run the same command then to go on", name,
                              result.failure, result.retry_after->count() / 1000));
    const auto doubled = patience_.first_wait * (1 << std::min(each.failures - 1, 16));
    const auto longest = static_cast<double>(std::min<milliseconds>(doubled, patience_.longest_wait).count());
    const milliseconds own(std::llround(std::uniform_real_distribution<double>(longest / 2, longest)(random_)));
    const auto wait = std::max(own, result.retry_after.value_or(milliseconds(0)));
    log_warn("{}: {}; it is asked for again in {:.1f} s", name, result.failure,
             std::chrono::duration<double>(wait).count());
    return wait;
  }

  const Patience& patience_;
  const StopFlag& stop_;
  std::deque<Running> waiting_;
  std::map<std::size_t, Running> running_;  // by tag
  std::size_t next_tag_ = 1;
  std::mt19937 random_{std::random_device()()};
  FileFetcher fetcher_;
};

/// A whole small text in memory.
class TextTransfer : public Transfer {
 public:
  TextTransfer(std::string url, std::size_t max_bytes) : url_(std::move(url)), max_bytes_(max_bytes) {}

  const std::string& name() const override { return url_; }
  FileRequest request() override { return {url_, 0, {}}; }
  std::uint64_t received() const override { return 0; }
  bool begin(const FileHead&) override {
    text_.clear();
    return true;
  }
  bool take(std::string_view bytes) override {
    if (bytes.size() > max_bytes_ - text_.size()) return false;
    text_ += bytes;
    return true;
  }
  bool settle(const FetchResult& result) override {
    if (result.end == FetchEnd::kUnwanted)
      fail_at(url_, fmt::format("longer than {} bytes, which it never is; name another mirror", max_bytes_));
    if (result.end == FetchEnd::kNotThere) {
      is_there_ = false;
    } else if (result.end != FetchEnd::kDone) {
      fail_at(url_, result.failure + "; check the address of the mirror, or name another");
    }
    return true;
  }
  std::optional<std::string> take_text() { return is_there_ ? std::optional(std::move(text_)) : std::nullopt; }

 private:
  const std::string url_;
  const std::size_t max_bytes_;
  std::string text_;
  bool is_there_ = true;
};

/// Only the head of a file.
class HeadTransfer : public Transfer {
 public:
  explicit HeadTransfer(std::string url) : url_(std::move(url)) {}

  const std::string& name() const override { return url_; }
  FileRequest request() override { return {url_, 0, {}}; }
  std::uint64_t received() const override { return 0; }
  bool begin(const FileHead& head) override {
    head_ = head;
    return false;
  }
  bool take(std::string_view) override { return false; }
  bool settle(const FetchResult& result) override {
    if (result.end == FetchEnd::kNotThere) fail_at(url_, "not there; the mirror is incomplete, name another");
    if (result.end != FetchEnd::kUnwanted && result.end != FetchEnd::kDone)
      fail_at(url_, result.failure + "; check the address of the mirror, or name another");
    return true;
  }
  std::optional<std::uint64_t> file_bytes() const { return head_.file_bytes; }

 private:
  const std::string url_;
  FileHead head_;
};

}  // namespace

void fail_at(std::string_view url, std::string_view why) {
  throw Error(fmt::format("{}: {}", url, why));
}

Downloader::Downloader(Patience patience, const StopFlag& stop) : patience_(patience), stop_(stop) {}

void Downloader::run(std::span<Transfer* const> transfers) {
  Round(patience_, stop_).run(transfers);
}

std::optional<std::string> Downloader::text(const std::string& url, std::size_t max_bytes) {
  TextTransfer transfer(url, max_bytes);
  Transfer* const all[] = {&transfer};
  run(all);
  return transfer.take_text();
}

std::optional<std::uint64_t> Downloader::size_of(const std::string& url) {
  HeadTransfer transfer(url);
  Transfer* const all[] = {&transfer};
  run(all);
  return transfer.file_bytes();
}

}  // namespace touchstone::pipeline::download
