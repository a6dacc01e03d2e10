#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::llm_client {

/// A reply as it was received.
struct StoredReply {
  std::string judge;
  std::string reply;           ///< verbatim, any bytes
  std::uint64_t status = 200;  ///< HTTP status; 0: no reply arrived whole; 200 for judges without a server
  std::uint64_t prompt_tokens = 0, cached_tokens = 0, reply_tokens = 0;  ///< as the server counted them, or 0
  std::uint64_t attempts = 1;
  std::int64_t cost = 0;         ///< 10^-12 US dollars, by the prices at that time
  std::uint64_t latency_us = 0;  ///< of the attempt that was answered; 0: not known
  std::string failure{};         ///< what was wrong with a reply that did not arrive whole; it holds no answer
  /// Digest of the question that was asked, where the reply is kept for another one: about the same passage after an
  /// edit. Not one of the fields, so that the layout of stored replies stays; the judgment log has it behind them.
  std::string kept_from{};

  template <class Fields>
  void fields(Fields& field) {
    field("judge", judge)("reply", reply)("status", status)("prompt_tokens", prompt_tokens);
    field("cached_tokens", cached_tokens)("reply_tokens", reply_tokens)("attempts", attempts)("cost", cost);
    field("latency_us", latency_us)("failure", failure);
  }
  friend bool operator==(const StoredReply&, const StoredReply&) = default;
};

/// Where replies are kept, so that no question is paid twice. Keyed by the digest of the request; a reply that is there
/// is never overwritten. Implementations are thread-safe.
class ReplyStore {
 public:
  virtual ~ReplyStore() = default;

  struct Entry {
    std::string digest;
    StoredReply reply;

    template <class Fields>
    void fields(Fields& field) {
      field("digest", digest)("reply", reply);
    }
  };

  /// The reply filed under a digest; nothing when there is none.
  virtual std::optional<StoredReply> find(std::string_view digest) const = 0;

  /// Adds replies, which outlive a power cut from this call's return on. A digest that is there already is left as it
  /// is. Returns how many were new. Throws StorageError.
  virtual std::size_t add(const std::vector<Entry>& entries) = 0;

  /// Likewise, for digests of which the caller knows that they are not there: saves looking for each.
  virtual void add_new(const std::vector<Entry>& entries) = 0;
};

}  // namespace touchstone::llm_client
