#pragma once

#include "llm_client/transport/http_engine.hpp"

#include <memory>

namespace touchstone::llm_client::transport::internal {

/// Attempts over sockets of our own, for endpoints of which `plain_sockets_suffice`. A connection serves one request at
/// a time; no request is sent on one that holds bytes, and one that speaks while it is idle is closed.
class PlainEngine : public HttpEngine {
 public:
  explicit PlainEngine(const TransportOptions& options);
  ~PlainEngine() override;

  /// Throws Error for a form, or a URL that must be escaped.
  void start(std::size_t tag, const std::string& url, const Exchange& exchange, const HeaderList& headers,
             std::chrono::steady_clock::time_point now, bool fresh) override;
  void run(std::chrono::microseconds wait, std::vector<Reply>& replies) override;
  void wake() noexcept override;
  std::size_t in_flight() const noexcept override;
  void abort(std::vector<std::size_t>& tags) override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::llm_client::transport::internal
