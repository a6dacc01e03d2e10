#include "common/error.hpp"
#include "tests/judge_server/fast_server.hpp"
#include "tests/judge_server/mischief.hpp"
#include "tests/judge_server/raw_server.hpp"
#include "tests/judge_server/routes.hpp"
#include "tests/judge_server/tls_front.hpp"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>

#include <CLI/CLI.hpp>

namespace server = touchstone::judge_server;

namespace {

struct Tls {
  std::string certificate, key;
  std::uint16_t port = 0;
};

int run(const server::ServerOptions& options, std::uint16_t port, const Tls& tls, const std::string& rules,
        const std::string& log) {
  server::Ledger ledger(log);
  if (!rules.empty()) ledger.set_rules(server::read_rules(rules));
  const auto http = server::make_server();
  server::add_routes(*http, ledger, options);
  const int bound = server::bind(*http, port);
  if (bound < 0) throw touchstone::Error("the test server cannot bind its port");
  if (!tls.certificate.empty()) std::printf("%d ", server::start_tls_front(tls.certificate, tls.key, tls.port, bound));
  std::printf("%d\n", bound);
  std::fflush(stdout);
  return http->listen_after_bind() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Plays the server of a language model, well or badly, for tests and benchmarks.\nPrints its port on 127.0.0.1.");
  server::ServerOptions options;
  std::uint16_t port = 0;
  std::int64_t latency_ms = 0, jitter_ms = 0, loading_ms = 0;
  bool fast = false, greets = false;
  Tls tls;
  std::string rules, rules_file, log;
  app.add_option("--port", port, "Port; 0: any");
  app.add_flag("--fast", fast, "One thread, right answers only, no JSON read: for benchmarks");
  app.add_option("--latency-ms", latency_ms, "Wait before each reply");
  app.add_option("--jitter-ms", jitter_ms, "And up to so much more, by the request's hash");
  app.add_option("--slots", options.slots, "Requests worked on at once; the others wait");
  app.add_option("--requests-per-minute", options.requests_per_minute, "429 above, and x-ratelimit headers");
  app.add_option("--burst", options.burst, "So many of them at once; 0: a minute's");
  app.add_option("--api-key", options.key, "401 without it");
  app.add_option("--model", options.model, "Name in the list of models; 404 for others; empty: any");
  app.add_option("--context-tokens", options.context_tokens, "As the tokenizer endpoint tells");
  app.add_flag("--azure", options.azure, "Take the key from the header api-key alone; 404 without a query api-version");
  app.add_flag("--greet", greets, "Each connection gets a reply before its request is read");
  app.add_flag("--gzip", options.gzip, "Compress replies for clients that accept it");
  app.add_option("--batch-polls", options.batch_polls, "Polls until a batch is done");
  app.add_flag("--llama-cpp", options.llama_cpp, "Speak as llama.cpp's server does; --context-tokens is its context");
  app.add_option("--loading-ms", loading_ms, "Of llama.cpp: 503 for so long after the start");
  app.add_option("--rules", rules, "JSON list of rules (behaviours.hpp)");
  app.add_option("--rules-file", rules_file, "The same from a file");
  app.add_option("--log", log, "File for a JSON line for each request");
  app.add_option("--certificate", tls.certificate,
                 "PEM file: listen on another port too, which is printed first, and speak TLS there");
  app.add_option("--certificate-key", tls.key, "PEM file");
  app.add_option("--tls-port", tls.port, "Where to speak TLS; 0: any");
  CLI11_PARSE(app, argc, argv);
  std::signal(SIGPIPE, SIG_IGN);
  if (greets) server::greet_with(server::unasked_reply());
  try {
    if (fast) return server::run_fast_server({port, std::chrono::milliseconds(latency_ms)});
    if (!rules_file.empty()) {
      std::ifstream in(rules_file);
      if (!in) throw touchstone::Error(rules_file + ": cannot be read");
      rules.assign(std::istreambuf_iterator<char>(in), {});
    }
    options.latency = std::chrono::milliseconds(latency_ms);
    options.jitter = std::chrono::milliseconds(jitter_ms);
    options.loading = std::chrono::milliseconds(loading_ms);
    return run(options, port, tls, rules, log);
  } catch (const touchstone::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
