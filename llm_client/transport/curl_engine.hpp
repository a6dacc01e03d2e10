#pragma once

#include "llm_client/transport/http_engine.hpp"

#include <memory>

namespace touchstone::llm_client::transport::internal {

/// Attempts over libcurl's multi interface, driven by epoll. Serves every endpoint.
class CurlEngine : public HttpEngine {
 public:
  explicit CurlEngine(const TransportOptions& options);
  ~CurlEngine() override;

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
