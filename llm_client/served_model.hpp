#pragma once

#include "llm_client/budget.hpp"
#include "llm_client/prompted_model.hpp"
#include "llm_client/prompts/token_estimate.hpp"
#include "llm_client/providers/batch_files.hpp"
#include "llm_client/reply_store.hpp"
#include "llm_client/server_address.hpp"
#include "llm_client/transport/transport.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace touchstone::llm_client {

/// Whether one request of a topic goes ahead of the others, so that they find its beginning in the server's prompt
/// cache.
enum class WarmUp : std::uint8_t {
  kAuto,  ///< where cached tokens are cheaper and the beginning is long enough
  kAlways,
  kNever
};

/// Where the key to a server is. It goes into the request's header alone.
struct KeySource {
  enum class Kind : std::uint8_t { kNone, kEnvironment, kFile };
  Kind kind = Kind::kNone;
  std::string place;  ///< name of the variable, or path of the file
};

/// Keeps the key, where there is one, out of all that the process writes; see keep_secret. Nothing is sent.
void keep_key_secret(const KeySource& source);

/// How batch jobs are made and looked after.
struct BatchSettings {
  providers::BatchLimits limits;
  std::chrono::seconds poll_interval{60};
  bool submit = true;            ///< false: the files are written, and the user sends them
  std::filesystem::path folder;  ///< of this model alone: files of requests, list of jobs, results
};

/// The server of a model, and how it is used.
struct ServerSettings {
  std::string base_url;                ///< as the user wrote it: digests of probes hold it
  std::vector<ServerAddress> servers;  ///< the first is the one at `base_url`
  KeySource key;
  std::string key_header;            ///< name of the header that holds the key alone; empty: the protocol's own
  std::vector<std::string> headers;  ///< more of them, "Name: value"
  std::string query;                 ///< of every address, without its question mark: "api-version=2024-10-21"
  Prices prices;                     ///< with the batch factor where it holds
  bool probe = true;
  WarmUp warm_up = WarmUp::kAuto;
  std::uint64_t max_ungraded = 50;  ///< replies without any grade after which a run stops; 0: none
  transport::TransportOptions transport;
  BatchSettings batch;
};

/// A model with its prompt, and the server that runs it.
struct ServedModel {
  PromptedModel model;
  ServerSettings server;

  /// What a request can cost at most.
  Spending worst_case(const prompts::TextSize& size) const;
};

/// The servers with their secret headers. Throws ConfigError when the key is not where the settings say; no message
/// holds any of it.
std::vector<transport::Endpoint> endpoints_of(const ServedModel& served);

/// A reply with what it cost.
struct PaidReply {
  StoredReply reply;
  Spending spent;
  bool counted = false;  ///< the server said how many tokens it took
};
/// Reads usage and cost out of the body of a reply to one request.
PaidReply paid_reply(const ServedModel& served, int status, std::string body);
/// Likewise, with attempts and latency.
PaidReply paid_reply(const ServedModel& served, transport::Delivery& delivery);

}  // namespace touchstone::llm_client
