#pragma once

#include "annotation/campaign.hpp"
#include "annotation/server/address.hpp"
#include "common/stop.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace touchstone::annotation::server {

struct ServerOptions {
  BindAddress bind;
  std::filesystem::path tls_certificate, tls_key;  ///< both or none
  std::string public_url;                ///< that annotators see, where a proxy is in front; empty: the address itself
  std::function<std::string()> summary;  ///< JSON of the owner's page
  /// Connections that are served at once, each by a thread; others wait. Few threads are there as long as nobody holds
  /// them.
  int threads = 1'000;
};

/// Serves the page that people judge on, and the owner's. Everything that comes from outside is checked: a secret link
/// for each person, a session cookie that scripts cannot read, a token in each request that changes something, bounds
/// on sizes and rates; no request names a file. Pages load nothing from elsewhere.
class AnnotationServer {
 public:
  /// Binds the port. Throws StorageError if it cannot, and ConfigError for a certificate that cannot be used.
  /// \param campaign  outlives the server
  AnnotationServer(Campaign& campaign, ServerOptions options);
  ~AnnotationServer();

  /// Where annotators reach it, without a slash at the end.
  const std::string& url() const noexcept { return url_; }
  /// Serves until a stop is requested, and ends the requests that are under way.
  void run(const StopFlag& stop);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::string url_;
};

}  // namespace touchstone::annotation::server
