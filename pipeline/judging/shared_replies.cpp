#include "pipeline/judging/shared_replies.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/stop.hpp"
#include "common/system_failure.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace touchstone::pipeline::judging {
namespace {

using Access = JudgmentLog::Access;

constexpr const char* kLogSuffix = ".log";
constexpr const char* kEndedSuffix = ".ended";

std::filesystem::path end_mark(std::filesystem::path log) {
  return log.replace_extension(kEndedSuffix);
}

std::filesystem::path own_log(const std::filesystem::path& folder, const std::string& writer) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw StorageError(failure_text("make folder", folder, error));
  return folder / (writer + kLogSuffix);
}

}  // namespace

std::vector<std::filesystem::path> reply_logs_in(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> logs;
  if (!std::filesystem::exists(folder, error) && !error) return logs;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == kLogSuffix) logs.push_back(entry->path());
  }
  if (error) throw StorageError(failure_text("read folder", folder, error));
  std::sort(logs.begin(), logs.end());
  return logs;
}

void take_over(JudgmentLog& log, const std::filesystem::path& folder) {
  constexpr std::size_t kBatch = 1000;
  for (const auto& file : reply_logs_in(folder)) {
    const bool ended = std::filesystem::exists(end_mark(file));
    std::vector<JudgmentLog::Entry> entries;
    const auto flush = [&] {
      log.add(entries);
      entries.clear();
    };
    for_each_reply(file, [&](JudgmentLog::Entry entry) {
      entries.push_back(std::move(entry));
      if (entries.size() == kBatch) flush();
    });
    flush();
    kill_point("replies.taken_over");
    // A writer that may still be alive keeps its log, whose replies are looked for again the next time.
    if (!ended) continue;
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    std::filesystem::remove(end_mark(file), ignored);
  }
}

SharedReplies::SharedReplies(const std::filesystem::path& log, std::filesystem::path folder,
                             const storage::Store* store, std::string writer)
    : folder_(std::move(folder)), writer_(std::move(writer)), log_(log, Access::kRead, store) {
  if (!writer_.empty()) own_ = std::make_unique<JudgmentLog>(own_log(folder_, writer_), Access::kAppendAlone);
  refresh();
}

SharedReplies::~SharedReplies() {
  if (!own_) return;
  try {
    write_file_atomically(end_mark(folder_ / (writer_ + kLogSuffix)), "");
  } catch (const Error& error) {
    log_warn("{}", error.what());
  }
}

void SharedReplies::refresh() {
  std::map<std::filesystem::path, std::shared_ptr<const JudgmentLog>> others;
  for (const auto& file : reply_logs_in(folder_)) {
    if (file.stem() != writer_) others.emplace(file, std::make_shared<JudgmentLog>(file, Access::kRead));
  }
  const std::lock_guard lock(mutex_);
  others_.swap(others);
}

std::optional<llm_client::StoredReply> SharedReplies::find(std::string_view digest) const {
  if (own_) {
    if (auto reply = own_->find(digest)) return reply;
  }
  if (auto reply = log_.find(digest)) return reply;
  std::vector<std::shared_ptr<const JudgmentLog>> others;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [file, log] : others_) others.push_back(log);
  }
  for (const auto& log : others) {
    if (auto reply = log->find(digest)) return reply;
  }
  return previous_ ? previous_->find(digest) : std::nullopt;
}

std::vector<llm_client::ReplyStore::Entry> SharedReplies::unknown(const std::vector<Entry>& entries) const {
  TS_CHECK(own_ != nullptr, "replies are added by a writer");
  std::vector<Entry> all;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(all),
               [&](const Entry& entry) { return !find(entry.digest); });
  return all;
}

std::size_t SharedReplies::add(const std::vector<Entry>& entries) {
  const auto fresh = unknown(entries);
  return own_->add(fresh);
}

std::size_t SharedReplies::add_computed(const std::vector<Entry>& entries) {
  const auto fresh = unknown(entries);
  return own_->add_computed(fresh);
}

void SharedReplies::add_new(const std::vector<Entry>& entries) {
  TS_CHECK(own_ != nullptr, "replies are added by a writer");
  own_->add_new(entries);
}

}  // namespace touchstone::pipeline::judging
