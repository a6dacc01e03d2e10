#include "llm_client/providers/batch_files.hpp"

#include "common/ascii.hpp"
#include "common/display_text.hpp"
#include "common/error.hpp"
#include "llm_client/providers/chat_protocols.hpp"

#include <fmt/format.h>

namespace touchstone::llm_client::providers {
namespace {

using Parsed = Result<BatchResult, std::string>;
using simdjson::SUCCESS;

constexpr std::string_view kAnthropicHead = "{\"requests\":[\n", kAnthropicTail = "\n]}\n";
constexpr std::string_view kEntryHead = R"({"custom_id":")";
constexpr std::size_t kMaxIdBytes = 64;
constexpr const char* kFieldTwice = "it names a field twice";

std::string entry_of(Protocol protocol, std::string_view id, std::string_view body) {
  return protocol == Protocol::kOpenAi
             ? fmt::format(R"({{"custom_id":"{}","method":"POST","url":"/v1/chat/completions","body":{}}})", id, body)
             : fmt::format(R"({{"custom_id":"{}","params":{}}})", id, body);
}

/// The object under `outer`.`inner` letter for letter, so that it is kept as it came.
std::string raw_object(std::string_view line, std::string_view outer, std::string_view inner) {
  thread_local simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(line);
  simdjson::ondemand::document document;
  simdjson::ondemand::object top, middle, object;
  std::string_view raw;
  if (parser.iterate(padded).get(document) != SUCCESS || document.get_object().get(top) != SUCCESS ||
      top[outer].get_object().get(middle) != SUCCESS || middle[inner].get_object().get(object) != SUCCESS ||
      object.raw_json().get(raw) != SUCCESS)
    return {};
  return std::string(raw);
}

Parsed openai_result(std::string_view line, simdjson::dom::object object, BatchResult result) {
  simdjson::dom::object response;
  if (object["response"].get_object().get(response) != SUCCESS) return result;  // expired: only an error
  if (internal::repeats_a_field(response)) return Parsed::failure(kFieldTwice);
  const auto status = internal::count_of(response, "status_code");
  if (!status || *status > 999) return Parsed::failure("response.status_code is no status");
  result.status = static_cast<int>(*status);
  if (result.status == 200 && !internal::is_absent(object, "error"))
    return Parsed::failure("it holds an error beside a reply with status 200");
  result.body = raw_object(line, "response", "body");
  return result;
}

Parsed anthropic_result(std::string_view line, simdjson::dom::object object, BatchResult result) {
  simdjson::dom::object outcome;
  if (object["result"].get_object().get(outcome) != SUCCESS) return Parsed::failure("there is no \"result\"");
  if (internal::repeats_a_field(outcome)) return Parsed::failure(kFieldTwice);
  const auto type = internal::text_of(outcome, "type");
  if (type == "succeeded") {
    result.status = 200;
    result.body = raw_object(line, "result", "message");
    if (result.body.empty()) return Parsed::failure("it succeeded, but there is no message");
  } else if (type == "errored") {
    result.body = raw_object(line, "result", "error");
    simdjson::dom::object error, inner;
    std::string_view kind;
    if (outcome["error"].get_object().get(error) == SUCCESS) {
      kind = internal::text_of(error, "type");
      if (error["error"].get_object().get(inner) == SUCCESS) kind = internal::text_of(inner, "type");
    }
    result.status = kind == "invalid_request_error" ? 400 : 500;
  } else if (type != "canceled" && type != "expired") {
    return Parsed::failure("result.type is \"" + display_excerpt(type, 40) + "\"");
  }
  return result;
}

}  // namespace

BatchFileWriter::BatchFileWriter(std::filesystem::path folder, std::string stem, Protocol protocol, BatchLimits limits)
    : folder_(std::move(folder)), stem_(std::move(stem)), protocol_(protocol), limits_(limits) {}

void BatchFileWriter::add(std::string_view id, std::string_view body) {
  TS_CHECK(id.size() <= kMaxIdBytes, "an id that providers take");
  const bool anthropic = protocol_ == Protocol::kAnthropic;
  const std::string entry = entry_of(protocol_, id, body) + (anthropic ? "" : "\n");
  const std::uint64_t around = anthropic ? kAnthropicHead.size() + kAnthropicTail.size() + 2 : 0;
  if (entry.size() + around > limits_.bytes)
    throw ConfigError(
        fmt::format("a request has {} bytes, more than a batch file may (judge.batch_bytes = {}); raise it",
                    entry.size(), limits_.bytes));
  if (open_ &&
      (files_.back().requests == limits_.requests || files_.back().bytes + entry.size() + around > limits_.bytes))
    close();
  if (!open_) {
    files_.push_back({folder_ / fmt::format("{}-{:04}.{}", stem_, files_.size() + 1, anthropic ? "json" : "jsonl")});
    open_ = std::make_unique<AtomicFile>(files_.back().path);
    if (anthropic) open_->write(kAnthropicHead);
  } else if (anthropic) {
    open_->write(",\n");
  }
  open_->write(entry);
  ++files_.back().requests;
  files_.back().bytes = open_->bytes_written();
}

void BatchFileWriter::close() {
  if (!open_) return;
  if (protocol_ == Protocol::kAnthropic) open_->write(kAnthropicTail);
  open_->finish();
  files_.back().bytes = open_->bytes_written();
  open_.reset();
}

std::vector<BatchFile> BatchFileWriter::finish() {
  close();
  return std::move(files_);
}

void for_each_request_id(const std::filesystem::path& file, const std::function<void(std::string_view)>& take) {
  for_each_line(file, [&](std::string_view line, std::uint64_t) {
    if (line.starts_with(kEntryHead))
      take(line.substr(kEntryHead.size(), line.find('"', kEntryHead.size()) - kEntryHead.size()));
    return true;
  });
}

Parsed parse_batch_result(Protocol protocol, std::string_view line) {
  thread_local simdjson::dom::parser parser;
  simdjson::dom::object object;
  if (parser.parse(line.data(), line.size()).get_object().get(object) != SUCCESS)
    return Parsed::failure("it is not a JSON object");
  if (internal::repeats_a_field(object)) return Parsed::failure(kFieldTwice);
  BatchResult result;
  result.id = std::string(internal::text_of(object, "custom_id"));
  if (result.id.empty()) return Parsed::failure("there is no \"custom_id\"");
  return protocol == Protocol::kOpenAi ? openai_result(line, object, std::move(result))
                                       : anthropic_result(line, object, std::move(result));
}

std::string url_segment(std::string_view id) {
  std::string out;
  for (const char c : id) {
    if (is_ascii_alphanumeric(c) || std::string_view("-_.~").find(c) != std::string_view::npos) {
      out.push_back(c);
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

}  // namespace touchstone::llm_client::providers
