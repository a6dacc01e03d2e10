#include "pipeline/judging/judgment_log.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/secrets.hpp"
#include "common/unicode.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <simdjson.h>

namespace touchstone::pipeline::judging {
namespace {

using llm_client::StoredReply;
using storage::Family;
using Json = nlohmann::ordered_json;

constexpr std::size_t kImportBatch = 1000;
constexpr std::size_t kDigestDigits = 64;

Json fields_of(const StoredReply& reply) {
  Json fields = {{"judge", reply.judge},
                 {"status", reply.status},
                 {"prompt_tokens", reply.prompt_tokens},
                 {"cached_tokens", reply.cached_tokens},
                 {"reply_tokens", reply.reply_tokens},
                 {"attempts", reply.attempts},
                 {"cost", reply.cost},
                 {"latency_us", reply.latency_us}};
  if (!reply.failure.empty()) fields["failure"] = reply.failure;
  return fields;
}

/// All but the reply. Throws Json::exception.
StoredReply from_fields(const Json& json) {
  return {json.at("judge"),         {},
          json.at("status"),        json.at("prompt_tokens"),
          json.at("cached_tokens"), json.at("reply_tokens"),
          json.at("attempts"),      json.at("cost"),
          json.at("latency_us"),    json.value("failure", std::string())};
}

std::string line_of(const Json& json) {
  return json_text(json) + "\n";
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out.push_back(kDigits[byte >> 4]);
    out.push_back(kDigits[byte & 15]);
  }
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool is_hex(std::string_view text) {
  return text.size() % 2 == 0 && std::all_of(text.begin(), text.end(), [](char c) { return hex_digit(c) >= 0; });
}

std::string unhex(std::string_view digits) {
  std::string out;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    out.push_back(static_cast<char>(hex_digit(digits[i]) * 16 + hex_digit(digits[i + 1])));
  return out;
}

}  // namespace

// Head and reply are written and read for each question of a run: by hand, since that is most of what a known reply
// costs. The bytes are those of fields_of().
std::string encode_reply(const StoredReply& reply) {
  std::string judge, failure;
  append_json_string(judge, reply.judge);
  if (!reply.failure.empty()) {
    failure = ",\"failure\":";
    append_json_string(failure, reply.failure);
  }
  auto record = fmt::format(
      "{{\"judge\":{},\"status\":{},\"prompt_tokens\":{},\"cached_tokens\":{},\"reply_tokens\":{},\"attempts\":{},"
      "\"cost\":{},\"latency_us\":{}{}}}\n{}",
      judge, reply.status, reply.prompt_tokens, reply.cached_tokens, reply.reply_tokens, reply.attempts, reply.cost,
      reply.latency_us, failure, reply.reply);
  hide_secrets(record);
  return record;
}

StoredReply decode_reply(std::string_view digest, std::string_view value) {
  const auto damaged = [&](const std::string& why) {
    return StorageError("the stored judgment " + std::string(digest) + " cannot be read (" + why +
                        "); the store is damaged");
  };
  const auto end = value.find('\n');
  if (end == std::string_view::npos) throw damaged("it has no head");
  thread_local simdjson::dom::parser parser;
  simdjson::dom::element head;
  if (const auto error = parser.parse(value.data(), end).get(head); error != simdjson::SUCCESS)
    throw damaged(simdjson::error_message(error));
  StoredReply reply;
  std::string_view judge;
  simdjson::error_code error = head["judge"].get_string().get(judge);
  const auto read = [&](const char* name, auto& number) {
    if (error == simdjson::SUCCESS) error = head[name].get(number);
  };
  read("status", reply.status);
  read("prompt_tokens", reply.prompt_tokens);
  read("cached_tokens", reply.cached_tokens);
  read("reply_tokens", reply.reply_tokens);
  read("attempts", reply.attempts);
  read("cost", reply.cost);
  read("latency_us", reply.latency_us);
  if (error != simdjson::SUCCESS) throw damaged(simdjson::error_message(error));
  reply.judge = std::string(judge);
  std::string_view failure;
  if (head["failure"].get_string().get(failure) == simdjson::SUCCESS) reply.failure = std::string(failure);
  reply.reply = std::string(value.substr(end + 1));
  return reply;
}

std::optional<StoredReply> find_reply(const storage::Store& store, std::string_view digest) {
  std::string value;
  if (!store.get(Family::kJudgment, digest, value)) return std::nullopt;
  return decode_reply(digest, value);
}

std::optional<StoredReply> JudgmentLog::find(std::string_view digest) const {
  return find_reply(store_, digest);
}

std::size_t JudgmentLog::add(const std::vector<Entry>& entries, storage::Durability durability) {
  storage::Batch batch;
  std::string present;
  std::size_t added = 0;
  for (const auto& entry : entries) {
    if (store_.get(Family::kJudgment, entry.digest, present)) continue;
    batch.put(Family::kJudgment, entry.digest, encode_reply(entry.reply));
    ++added;
  }
  if (added > 0) store_.write(batch, durability);
  return added;
}

std::size_t JudgmentLog::add(const std::vector<Entry>& entries) {
  return add(entries, storage::Durability::kMachine);
}

std::size_t JudgmentLog::add_computed(const std::vector<Entry>& entries) {
  return add(entries, storage::Durability::kProcess);
}

void JudgmentLog::add_new(const std::vector<Entry>& entries) {
  if (entries.empty()) return;
  // In the order of their keys, each takes its place in the store near the one before.
  std::vector<const Entry*> by_digest;
  by_digest.reserve(entries.size());
  for (const auto& entry : entries) by_digest.push_back(&entry);
  std::stable_sort(by_digest.begin(), by_digest.end(),
                   [](const Entry* a, const Entry* b) { return a->digest < b->digest; });
  storage::Batch batch;
  for (const auto* entry : by_digest) batch.put(Family::kJudgment, entry->digest, encode_reply(entry->reply));
  store_.write(batch, storage::Durability::kMachine);
}

flow::KeptLog::Count export_log(const storage::Store& store, const std::filesystem::path& file) {
  flow::KeptLog::Count done;
  TextWriter out(file, InTheWay::kRefuse);
  for (auto cursor = store.cursor(Family::kJudgment); cursor.valid(); cursor.next(), ++done.read) {
    const auto reply = decode_reply(cursor.key(), cursor.value());
    Json json = {{"digest", cursor.key()}};
    json.update(fields_of(reply));
    if (is_valid_utf8(reply.reply)) {
      json["reply"] = reply.reply;
    } else {
      json["reply_hex"] = hex(reply.reply);
    }
    auto line = line_of(json);
    hide_secrets(line);
    out.write(line);
    ++done.added;
  }
  out.finish();
  return done;
}

flow::KeptLog::Count import_log(storage::Store& store, const std::filesystem::path& file) {
  flow::KeptLog::Count done;
  JudgmentLog log(store);
  std::vector<JudgmentLog::Entry> entries;
  const auto flush = [&] {
    done.added += log.add(entries);
    entries.clear();
  };
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    const auto wrong = [&](const std::string& why) {
      flush();
      return FormatError(file.string() + " line " + std::to_string(number) + ": not a reply of a judgment log (" + why +
                         "); the lines before it were taken");
    };
    JudgmentLog::Entry entry;
    try {
      const auto json = parse_json(line);
      entry.digest = json.at("digest");
      entry.reply = from_fields(json);
      if (json.contains("reply_hex")) {
        const std::string digits = json.at("reply_hex");
        if (!is_hex(digits)) throw wrong("reply_hex is not hexadecimal");
        entry.reply.reply = unhex(digits);
      } else {
        entry.reply.reply = json.at("reply");
      }
    } catch (const Json::exception& error) {
      throw wrong(error.what());
    }
    if (entry.digest.size() != kDigestDigits || !is_hex(entry.digest))
      throw wrong("its digest is not 64 hexadecimal digits");
    entries.push_back(std::move(entry));
    ++done.read;
    if (entries.size() == kImportBatch) flush();
    return true;
  });
  flush();
  return done;
}

}  // namespace touchstone::pipeline::judging
