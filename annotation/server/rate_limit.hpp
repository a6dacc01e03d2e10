#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace touchstone::annotation::server {

/// A bucket of tokens for each key: `burst` at once, `per_second` on average. Forgets keys whose bucket is full again.
/// Thread-safe.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  RateLimit(double per_second, double burst) : per_second_(per_second), burst_(burst) {}

  /// Takes a token. Returns false if the bucket is empty.
  bool take(std::string_view key, Clock::time_point now) {
    const std::lock_guard lock(mutex_);
    forget(now);
    auto& bucket = bucket_of(key, now);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

 private:
  struct Bucket {
    double tokens;
    Clock::time_point filled;
  };

  Bucket& bucket_of(std::string_view key, Clock::time_point now) {
    auto at = buckets_.find(key);
    if (at == buckets_.end()) at = buckets_.emplace(std::string(key), Bucket{burst_, now}).first;
    auto& bucket = at->second;
    const std::chrono::duration<double> passed = now - bucket.filled;
    bucket.tokens = std::min(burst_, bucket.tokens + passed.count() * per_second_);
    bucket.filled = now;
    return bucket;
  }

  void forget(Clock::time_point now) {
    constexpr std::size_t kMany = 10'000;
    if (buckets_.size() < kMany) return;
    std::erase_if(buckets_, [&](const auto& entry) {
      const std::chrono::duration<double> passed = now - entry.second.filled;
      return entry.second.tokens + passed.count() * per_second_ >= burst_;
    });
    // So many keys that are all in use come from an attack; they share a fresh start.
    if (buckets_.size() >= kMany) buckets_.clear();
  }

  const double per_second_, burst_;
  std::mutex mutex_;
  std::map<std::string, Bucket, std::less<>> buckets_;
};

}  // namespace touchstone::annotation::server
