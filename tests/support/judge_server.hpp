#pragma once

#include "common/json_tree.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <httplib.h>
#include <nlohmann/json.hpp>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace touchstone::testing {

/// A judge_server of its own process and port, ended with this object.
class JudgeServer {
 public:
  /// \param arguments  of the program, see `judge_server --help`; TS_JUDGE_SERVER names it
  /// With `--certificate` it speaks TLS too, and `base_url` is the address of that.
  explicit JudgeServer(std::vector<std::string> arguments = {}) { start(std::move(arguments)); }
  ~JudgeServer() { kill(); }
  JudgeServer(const JudgeServer&) = delete;
  JudgeServer& operator=(const JudgeServer&) = delete;

  int port() const noexcept { return port_; }  ///< of plain http
  std::string base_url() const {
    return tls_port_ > 0 ? "https://127.0.0.1:" + std::to_string(tls_port_) + "/v1"
                         : "http://127.0.0.1:" + std::to_string(port_) + "/v1";
  }

  void set_rules(const std::string& json) {
    const auto reply = httplib::Client("127.0.0.1", port_).Post("/rules", json, "application/json");
    if (!reply || reply->status != 200) throw std::runtime_error("rules refused: " + (reply ? reply->body : ""));
  }
  nlohmann::ordered_json counts() {
    const auto reply = httplib::Client("127.0.0.1", port_).Get("/counts");
    if (!reply) throw std::runtime_error("the test server does not answer");
    return parse_json(reply->body);
  }
  /// Ends it as a crash would.
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  /// Starts it again, on the same ports.
  void restart(std::vector<std::string> arguments = {}) {
    kill();
    arguments.insert(arguments.end(), {"--port", std::to_string(port_), "--tls-port", std::to_string(tls_port_)});
    start(std::move(arguments));
  }

 private:
  void start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), TS_JUDGE_SERVER);
    std::vector<char*> pointers;
    for (auto& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int failure = ::posix_spawn(&process_, TS_JUDGE_SERVER, &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    std::string line;
    for (char c = 0; failure == 0 && ::read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
    ::close(ends[0]);
    if (line.empty()) throw std::runtime_error("the test server did not start");
    const auto blank = line.find(' ');
    tls_port_ = blank == std::string::npos ? 0 : std::stoi(line);
    port_ = std::stoi(line.substr(blank == std::string::npos ? 0 : blank));
  }

  pid_t process_ = -1;
  int port_ = 0, tls_port_ = 0;
};

}  // namespace touchstone::testing
