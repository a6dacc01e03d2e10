// How long an answer waits for the server of `touchstone annotate`, beside a bare cpp-httplib server that returns what
// it gets, under the same load: many people at a steady pace, and bursts of many at once. Prints JSON.
#include "annotation/campaign.hpp"
#include "annotation/server/server.hpp"
#include "common/stop.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <httplib.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using namespace touchstone;
using Clock = std::chrono::steady_clock;

struct Load {
  std::size_t people = 200, burst = 500, bursts = 10;
  double answers_per_second = 5;
  int seconds = 20;
};

/// One person: a kept connection, and a body for each answer.
struct Person {
  std::unique_ptr<httplib::Client> client;
  httplib::Headers headers;
  std::string path;
  std::function<std::string(std::size_t number)> body;
};

double post_ms(Person& person, std::size_t number, std::atomic<std::size_t>& failures) {
  const auto body = person.body(number);
  const auto start = Clock::now();
  const auto reply = person.client->Post(person.path, person.headers, body, "application/json");
  const std::chrono::duration<double, std::milli> took = Clock::now() - start;
  if (!reply || reply->status != 200 || reply->body.find("rejected") != std::string::npos) ++failures;
  return took.count();
}

struct Latencies {
  double p50 = 0, p99 = 0, most = 0;
};

Latencies latencies_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {at(0.5), at(0.99), values.back()};
}

/// Everybody answers in turn, so that all together keep the pace.
Latencies steady(std::vector<Person>& people, const Load& load, std::atomic<std::size_t>& failures) {
  std::vector<std::vector<double>> times(people.size());
  std::vector<std::thread> threads;
  const auto begin = Clock::now();
  const std::chrono::duration<double> between(static_cast<double>(people.size()) / load.answers_per_second);
  for (std::size_t i = 0; i < people.size(); ++i) {
    threads.emplace_back([&, i] {
      const auto first = begin + std::chrono::duration_cast<Clock::duration>(between * static_cast<double>(i) /
                                                                             static_cast<double>(people.size()));
      for (std::size_t number = 0;; ++number) {
        const auto due = first + std::chrono::duration_cast<Clock::duration>(between * static_cast<double>(number));
        if (due > begin + std::chrono::seconds(load.seconds)) return;
        std::this_thread::sleep_until(due);
        times[i].push_back(post_ms(people[i], number, failures));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  std::vector<double> all;
  for (const auto& one : times) all.insert(all.end(), one.begin(), one.end());
  return latencies_of(std::move(all));
}

/// A connection that one thread drives beside many others.
struct Exchange {
  int socket = -1;
  std::string request, reply;
  std::size_t sent = 0;
  Clock::time_point start;
};

/// Whether a whole reply is there. \pre it has a content length
bool is_whole(const std::string& reply) {
  const auto head = reply.find("\r\n\r\n");
  const auto length = reply.find("Content-Length: ");
  if (head == std::string::npos || length == std::string::npos || length > head) return false;
  return reply.size() >= head + 4 + std::stoul(reply.substr(length + 16));
}

std::string head_of(const Person& person, std::size_t bytes) {
  std::string head =
      fmt::format("POST {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n", person.path);
  for (const auto& [name, value] : person.headers) head += fmt::format("{}: {}\r\n", name, value);
  return head + fmt::format("Content-Length: {}\r\n\r\n", bytes);
}

void send_more(Exchange& exchange) {
  if (exchange.sent == exchange.request.size()) return;
  const auto bytes = ::send(exchange.socket, exchange.request.data() + exchange.sent,
                            exchange.request.size() - exchange.sent, MSG_NOSIGNAL);
  if (bytes > 0) exchange.sent += static_cast<std::size_t>(bytes);
}

/// Goes on with one exchange; returns whether it has ended.
bool advance(Exchange& exchange) {
  send_more(exchange);
  char buffer[4096];
  for (;;) {
    const auto bytes = ::recv(exchange.socket, buffer, sizeof buffer, 0);
    if (bytes > 0) exchange.reply.append(buffer, static_cast<std::size_t>(bytes));
    if (bytes == 0 || (bytes < 0 && errno != EAGAIN)) return true;
    if (bytes < 0) return is_whole(exchange.reply);
  }
}

/// Many browsers whose network is back, each with a new connection and an answer: all at once, again and again. One
/// thread plays all of them, so that it takes little of the machine.
Latencies bursts(std::vector<Person>& people, int port, const Load& load, std::atomic<std::size_t>& failures) {
  std::vector<double> all;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (std::size_t burst = 0; burst <= load.bursts; ++burst) {
    if (burst == 1) all.clear();  // the first one is to warm up: people have asked for tasks before they answer
    std::vector<Exchange> exchanges(load.burst);
    const int poll = ::epoll_create1(EPOLL_CLOEXEC);
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
      const auto body = people[i].body(1'000 + burst);
      exchanges[i].request = head_of(people[i], body.size()) + body;
    }
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
      auto& exchange = exchanges[i];
      exchange.start = Clock::now();
      exchange.socket = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
      static_cast<void>(::connect(exchange.socket, reinterpret_cast<const sockaddr*>(&address), sizeof address));
      send_more(exchange);  // on one machine the connection is there at once
      epoll_event event{};
      event.events = EPOLLIN | EPOLLET | (exchange.sent < exchange.request.size() ? EPOLLOUT : 0U);
      event.data.u64 = i;
      ::epoll_ctl(poll, EPOLL_CTL_ADD, exchange.socket, &event);
    }
    for (std::size_t open = exchanges.size(); open > 0;) {
      epoll_event events[64];
      const int count = ::epoll_wait(poll, events, 64, 10'000);
      if (count <= 0) break;
      for (int i = 0; i < count; ++i) {
        auto& exchange = exchanges[events[i].data.u64];
        if (exchange.socket < 0 || !advance(exchange)) continue;
        const std::chrono::duration<double, std::milli> took = Clock::now() - exchange.start;
        all.push_back(took.count());
        if (!exchange.reply.starts_with("HTTP/1.1 200") || exchange.reply.find("rejected") != std::string::npos)
          ++failures;
        ::close(std::exchange(exchange.socket, -1));
        --open;
      }
    }
    for (const auto& exchange : exchanges) {
      if (exchange.socket < 0) continue;
      ++failures;
      ::close(exchange.socket);
    }
    ::close(poll);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  return latencies_of(std::move(all));
}

std::string measure(const char* name, std::vector<Person>& few, std::vector<Person>& many, int port, const Load& load) {
  std::atomic<std::size_t> failures{0};
  const auto pace = steady(few, load, failures);
  few.clear();  // the idle connections of people who have gone on would be looked at again and again
  const auto burst = bursts(many, port, load, failures);
  return fmt::format(
      "\"{}\":{{\"steady_p50_ms\":{:.2f},\"steady_p99_ms\":{:.2f},\"steady_max_ms\":{:.2f},\"burst_p50_ms\":{:.2f},"
      "\"burst_p99_ms\":{:.2f},\"burst_max_ms\":{:.2f},\"failures\":{}}}",
      name, pace.p50, pace.p99, pace.most, burst.p50, burst.p99, burst.most, failures.load());
}

std::unique_ptr<httplib::Client> connect(int port) {
  auto client = std::make_unique<httplib::Client>("127.0.0.1", port);
  client->set_keep_alive(true);
  client->set_tcp_nodelay(true);
  client->set_read_timeout(30);
  return client;
}

std::string bench_server(const Load& load, const std::filesystem::path& folder) {
  const auto count = std::max(load.people, load.burst);
  std::vector<annotation::Task> tasks(20'000);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    tasks[i].topic = std::to_string(i / 100);
    tasks[i].docid = std::to_string(i);
    tasks[i].query = "what is physical description of spruce";
    for (int word = 0; word < 130; ++word) tasks[i].text += "needles ";
    tasks[i].id = formats::labeling::task_id(tasks[i]);
  }
  std::ofstream names(folder / "names");
  for (std::size_t i = 0; i < count; ++i) names << "person " << i << '\n';
  names.close();
  const auto access = annotation::Access::open(folder, folder / "names");
  annotation::Campaign campaign(folder, tasks, {}, access);
  annotation::server::ServerOptions options;
  options.bind = {"127.0.0.1", 0};
  annotation::server::AnnotationServer server(campaign, options);
  StopFlag stop;
  std::thread serving([&] { server.run(stop); });
  const auto port = std::stoi(server.url().substr(server.url().rfind(':') + 1));
  const auto person = [&](std::size_t i, std::size_t offset) {
    Person made{
        connect(port),
        {{"Cookie", "touchstone_" + campaign.id() + "=" + access.cookie_of(i)}, {"X-CSRF-Token", access.csrf_of(i)}},
        "/api/answers",
        [&tasks, i, offset](std::size_t number) {
          const auto& task = tasks[(number * 997 + i * 13 + offset) % tasks.size()];
          return fmt::format(
              R"({{"answers":[{{"id":"{}-{}-{}","task":"{}","grade":2,"spans":[[8,40]],"visible_ms":9000}}]}})", offset,
              i, number, task.id);
        }};
    return made;
  };
  std::vector<Person> few, many;
  for (std::size_t i = 0; i < load.people; ++i) few.push_back(person(i, 0));
  for (std::size_t i = 0; i < load.burst; ++i) many.push_back(person(i, 1));
  auto result = measure("annotate", few, many, port, load);
  few.clear();
  many.clear();
  stop.request();
  serving.join();
  return result;
}

std::string bench_echo(const Load& load) {
  httplib::Server server;
  server.set_tcp_nodelay(true);
  server.new_task_queue = [] { return new httplib::ThreadPool(1'000); };
  server.Post("/echo", [](const httplib::Request& request, httplib::Response& response) {
    response.set_content(request.body, "application/json");
  });
  int listening = -1;
  server.set_socket_options([&](int socket) { listening = socket; });
  const int port = server.bind_to_any_port("127.0.0.1");
  ::listen(listening, SOMAXCONN);
  std::thread serving([&] { server.listen_after_bind(); });
  const auto person = [&](std::size_t i) {
    return Person{connect(port), {}, "/echo", [i](std::size_t number) {
                    return fmt::format(
                        R"({{"answers":[{{"id":"0-{}-{}","task":"0123456789abcdef","grade":2,"spans":[[8,40]]}}]}})", i,
                        number);
                  }};
  };
  std::vector<Person> few, many;
  for (std::size_t i = 0; i < load.people; ++i) few.push_back(person(i));
  for (std::size_t i = 0; i < load.burst; ++i) many.push_back(person(i));
  auto result = measure("echo", few, many, port, load);
  few.clear();
  many.clear();
  server.stop();
  serving.join();
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures how long answers wait for the server of touchstone annotate, beside a bare server.");
  Load load;
  std::string folder;
  app.add_option("FOLDER", folder, "New folder for the answers, on the disk that is measured")->required();
  app.add_option("--people", load.people, "People of the steady load");
  app.add_option("--per-second", load.answers_per_second, "Answers of all of them together");
  app.add_option("--seconds", load.seconds, "Of the steady load");
  app.add_option("--burst", load.burst, "Answers at once");
  app.add_option("--bursts", load.bursts, "How often");
  CLI11_PARSE(app, argc, argv);
  std::filesystem::create_directories(folder);
  const auto echo = bench_echo(load);
  std::printf("{%s,%s}\n", bench_server(load, folder).c_str(), echo.c_str());
  return 0;
}
