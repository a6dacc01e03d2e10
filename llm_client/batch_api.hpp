#pragma once

#include "common/stop.hpp"
#include "llm_client/served_model.hpp"
#include "llm_client/transport/transport.hpp"

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace touchstone::llm_client {

/// The batch API of a provider: OpenAI's files and batches, or Anthropic's message batches. Every call sends one
/// request or, where it waits, one request each poll interval. Throws Interrupted when the provider gives no answer to
/// go on with, and on a signal. Not thread-safe.
class BatchApi {
 public:
  /// Both must outlive this.
  BatchApi(const ServedModel& served, const StopFlag& stop) : served_(served), stop_(stop) {}

  /// True where files are uploaded before a job is made of them (OpenAI).
  bool uploads_files() const;
  /// Uploads a file of requests and returns the provider's id for it.
  std::string upload(const std::filesystem::path& file) const;
  /// Makes a job of an uploaded file, in one attempt; returns its id, empty when the provider made none.
  std::string create_job(const std::string& upload_id) const;
  /// Makes a job of a file that is not uploaded before (Anthropic), likewise.
  std::string create_job_of(const std::filesystem::path& file) const;
  /// The job of an uploaded file, when a killed run had made it already; empty when there is none. Looks through all
  /// jobs that the server lists.
  std::string find_job(const std::string& upload_id) const;

  /// What a job came to.
  struct Outcome {
    std::string results;  ///< lines, in any order
    std::string failure;  ///< why the job failed as a whole; empty when it did not
  };
  /// Waits until a job has ended and fetches its results. `file` names it in messages.
  Outcome wait_for_job(const std::string& job_id, const std::string& file) const;

 private:
  std::string call(transport::Exchange exchange, bool once) const;
  /// A reply that is an object.
  nlohmann::ordered_json call_json(transport::Exchange exchange, bool once) const;
  nlohmann::ordered_json wait_until(const std::string& job_id, const std::string& file, const std::string& path) const;

  const ServedModel& served_;
  const StopFlag& stop_;
};

}  // namespace touchstone::llm_client
