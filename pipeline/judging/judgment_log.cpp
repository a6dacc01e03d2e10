#include "pipeline/judging/judgment_log.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"
#include "common/records/record_coding.hpp"
#include "common/records/sorter.hpp"
#include "common/secrets.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <boost/algorithm/hex.hpp>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::judging {
namespace {

using llm_client::ReplyStore;
using llm_client::StoredReply;
using storage::Family;
using Json = nlohmann::ordered_json;

constexpr std::size_t kBatch = 1000;
constexpr std::size_t kSortBytes = std::size_t{64} << 20;
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
  if (!reply.kept_from.empty()) fields["kept_from"] = reply.kept_from;
  return fields;
}

/// All but the reply. Throws Json::exception.
StoredReply from_fields(const Json& json) {
  return {json.at("judge"),
          {},
          json.at("status"),
          json.at("prompt_tokens"),
          json.at("cached_tokens"),
          json.at("reply_tokens"),
          json.at("attempts"),
          json.at("cost"),
          json.at("latency_us"),
          json.value("failure", std::string()),
          json.value("kept_from", std::string())};
}

/// As a line of an exported log, without its end.
std::string line_of(const ReplyStore::Entry& entry) {
  Json json = {{"digest", entry.digest}};
  json.update(fields_of(entry.reply));
  if (is_valid_utf8(entry.reply.reply)) {
    json["reply"] = entry.reply.reply;
  } else {
    json["reply_hex"] = boost::algorithm::hex_lower(entry.reply.reply);
  }
  auto line = json_text(json);
  hide_secrets(line);
  return line;
}

struct ExportedLine {
  std::string text;  ///< begins with the digest
  template <class Fields>
  void fields(Fields& field) {
    field("text", text);
  }
  friend auto operator<=>(const ExportedLine&, const ExportedLine&) = default;
};

ReplyStore::Entry without_secrets(ReplyStore::Entry entry) {
  for (auto* text : {&entry.reply.judge, &entry.reply.reply, &entry.reply.failure}) hide_secrets(*text);
  return entry;
}

std::string layout() {
  return records::layout_of<ReplyStore::Entry>();
}

/// A record of the log: the fields of the entry, then what a kept reply was asked, which others do not have.
std::string record_of(const ReplyStore::Entry& entry) {
  records::Encoder encoder;
  encode(encoder, entry);
  if (!entry.reply.kept_from.empty()) encode(encoder, entry.reply.kept_from);
  return encoder.take();
}

ReplyStore::Entry entry_of(std::string_view record) {
  records::Decoder from(record);
  ReplyStore::Entry entry;
  decode(from, entry);
  if (!from.at_end()) decode(from, entry.reply.kept_from);
  from.end();
  return entry;
}

/// A reply as older stores hold it: a line of JSON with all but the reply, then the reply.
ReplyStore::Entry from_store(std::string_view digest, std::string_view value) {
  try {
    const auto end = value.find('\n');
    ReplyStore::Entry entry{std::string(digest), from_fields(parse_json(value.substr(0, end)))};
    entry.reply.reply = value.substr(end + 1);
    return entry;
  } catch (const Json::exception& error) {
    throw StorageError("the stored judgment " + std::string(digest) + " cannot be read (" + error.what() +
                       "); the store is damaged");
  }
}

template <class Take>
void for_each_in_store(const storage::Store& store, const Take& take) {
  for (auto cursor = store.cursor(Family::kJudgment); cursor.valid(); cursor.next())
    take(from_store(cursor.key(), cursor.value()));
}

void warn_of_losses(const std::filesystem::path& file, const records::RecordLog::Losses& losses) {
  if (losses.bytes > 0)
    log_warn("{}: {} bytes in {} places are damaged, and the replies there are lost; they will be asked for again",
             file.string(), losses.bytes, losses.places);
  if (losses.cut > 0)
    log_warn("{}: the last {} bytes are no whole block, as after a power cut, and were cut off", file.string(),
             losses.cut);
}

}  // namespace

JudgmentLog::JudgmentLog(const std::filesystem::path& file, Access access, const storage::Store* store)
    : store_(store), file_(file, layout(), access, [this](Place place, std::string_view record) {
        places_.emplace(xxh3_64(records::Decoder(record).text()), place);
      }) {
  warn_of_losses(file, file_.losses());
}

std::shared_ptr<JudgmentLog> JudgmentLog::open(const std::filesystem::path& file, storage::Store& store) {
  auto log = std::make_shared<JudgmentLog>(file, Access::kAppend);
  std::vector<Entry> entries;
  bool any = false;
  for_each_in_store(store, [&](Entry entry) {
    any = true;
    entries.push_back(std::move(entry));
    if (entries.size() < kBatch) return;
    log->add(entries);
    entries.clear();
  });
  log->add(entries);
  if (any) store.clear({{Family::kJudgment}});
  return log;
}

std::optional<StoredReply> JudgmentLog::find(std::string_view digest) const {
  auto reply = find_in_file(digest);
  std::string value;
  if (reply) return reply;
  if (store_ != nullptr && store_->get(Family::kJudgment, digest, value)) return from_store(digest, value).reply;
  if (previous_) reply = previous_->find(digest);
  if (reply) {
    const std::lock_guard lock(finding_);
    found_.push_back({std::string(digest), *reply});
  }
  return reply;
}

std::size_t JudgmentLog::keep_found() {
  std::vector<Entry> found;
  {
    const std::lock_guard lock(finding_);
    found = std::exchange(found_, {});
  }
  return add_computed(found);
}

std::optional<StoredReply> JudgmentLog::find_in_file(std::string_view digest) const {
  std::vector<Place> places;  // several only where digests have the same XXH3
  {
    const std::lock_guard lock(index_);
    const auto [begin, end] = places_.equal_range(xxh3_64(digest));
    for (auto place = begin; place != end; ++place) places.push_back(place->second);
  }
  for (const auto place : places) {
    auto entry = entry_of(file_.read(place));
    if (entry.digest == digest) return std::move(entry.reply);
  }
  return std::nullopt;
}

std::size_t JudgmentLog::add(const std::vector<Entry>& entries) {
  return add_unknown(entries, Durability::kMachine);
}

std::size_t JudgmentLog::add_computed(const std::vector<Entry>& entries) {
  return add_unknown(entries, Durability::kProcess);
}

std::size_t JudgmentLog::add_unknown(const std::vector<Entry>& entries, Durability durability) {
  const std::lock_guard lock(add_);
  std::vector<const Entry*> unknown;
  std::set<std::string_view> digests;
  for (const auto& entry : entries) {
    if (digests.insert(entry.digest).second && !find_in_file(entry.digest)) unknown.push_back(&entry);
  }
  append(unknown, durability);
  return unknown.size();
}

void JudgmentLog::add_new(const std::vector<Entry>& entries) {
  std::vector<const Entry*> all;
  for (const auto& entry : entries) all.push_back(&entry);
  append(all, Durability::kMachine);
}

void JudgmentLog::append(const std::vector<const Entry*>& entries, Durability durability) {
  if (entries.empty()) return;
  std::vector<std::string> encoded;
  for (const auto* entry : entries) encoded.push_back(record_of(has_secrets() ? without_secrets(*entry) : *entry));
  const auto places = file_.append(encoded, durability);
  const std::lock_guard lock(index_);
  for (std::size_t i = 0; i < places.size(); ++i) places_.emplace(xxh3_64(entries[i]->digest), places[i]);
}

void for_each_reply(const std::filesystem::path& log, const std::function<void(JudgmentLog::Entry)>& take) {
  const records::RecordLog whole(log, layout(), JudgmentLog::Access::kRead,
                                 [&](auto /*place*/, std::string_view record) { take(entry_of(record)); });
  warn_of_losses(log, whole.losses());
}

flow::KeptLog::Count export_log(const std::filesystem::path& log, const storage::Store* store,
                                const std::filesystem::path& file, const std::vector<std::filesystem::path>& more) {
  records::Sorter<ExportedLine> lines(std::filesystem::absolute(file).parent_path(), kSortBytes,
                                      records::Repeats::kDrop);
  const auto take = [&](const ReplyStore::Entry& entry) { lines.add({line_of(entry)}); };
  for_each_reply(log, take);
  for (const auto& other : more) for_each_reply(other, take);
  if (store != nullptr) for_each_in_store(*store, take);
  flow::KeptLog::Count done;
  TextWriter out(file, InTheWay::kRefuse);
  while (const auto line = lines.next()) {
    out.write(line->text + "\n");
    ++done.read;
    ++done.added;
  }
  out.finish();
  return done;
}

flow::KeptLog::Count import_log(JudgmentLog& log, const std::filesystem::path& file) {
  flow::KeptLog::Count done;
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
        entry.reply.reply = boost::algorithm::unhex(json.at("reply_hex").get<std::string>());
      } else {
        entry.reply.reply = json.at("reply");
      }
    } catch (const boost::algorithm::hex_decode_error&) {
      throw wrong("reply_hex is not hexadecimal");
    } catch (const Json::exception& error) {
      throw wrong(error.what());
    }
    if (entry.digest.size() != kDigestDigits || entry.digest.find_first_not_of("0123456789abcdef") != std::string::npos)
      throw wrong("its digest is not 64 hexadecimal digits");
    entries.push_back(std::move(entry));
    ++done.read;
    if (entries.size() == kBatch) flush();
    return true;
  });
  flush();
  return done;
}

}  // namespace touchstone::pipeline::judging
