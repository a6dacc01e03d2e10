#pragma once

#include "tests/judge_server/behaviours.hpp"

#include <chrono>
#include <cstdint>
#include <string>

#include <httplib.h>

namespace touchstone::judge_server {

struct ServerOptions {
  std::chrono::milliseconds latency{0}, jitter{0};  ///< each reply waits latency + [0, jitter), told by its hash
  std::size_t slots = 0;                            ///< requests worked on at once, the others wait; 0: all
  std::uint64_t requests_per_minute = 0;            ///< 429 above, and x-ratelimit headers; 0: no limit
  std::uint64_t burst = 0;                          ///< of these at once, refilled steadily; 0: a minute's
  std::string key;                                  ///< 401 without it; empty: nobody is asked
  std::string model = "test-model";                 ///< in the list of models; requests for others get 404
  std::uint64_t context_tokens = 4096;              ///< as the tokenizer endpoint tells
  bool azure = false;                               ///< the key in api-key alone; 404 without a query api-version
  bool gzip = false;                                ///< replies are compressed for those who accept it
  int batch_polls = 2;                              ///< polls until a batch is done
  bool llama_cpp = false;                           ///< speak as llama.cpp's server does (llama_cpp.hpp)
  std::chrono::milliseconds loading{0};             ///< of llama.cpp: 503 for so long after the start
};

/// Chat completions, messages, models, tokenizers, files and batches, and for tests `GET /counts`, `POST /rules` (a
/// list of rules), `POST /reset`.
void add_routes(httplib::Server& server, Ledger& ledger, const ServerOptions& options);
void add_batch_routes(httplib::Server& server, Ledger& ledger, const ServerOptions& options);

/// The status and body that a request gets in a batch, where a connection cannot misbehave; "expire" is told by 0.
struct BatchAnswer {
  int status = 200;
  std::string body;
};
BatchAnswer batch_answer(Api api, Ledger& ledger, const std::string& path, const Json& request);

/// The flaws that a deed of behaviours.cpp represents.
Flaws flaws_of(const Rule& rule);

}  // namespace touchstone::judge_server
