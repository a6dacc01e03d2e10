#include "pipeline/judgment_log.hpp"

#include "common/error.hpp"

#include <nlohmann/json.hpp>

namespace touchstone::pipeline {

using storage::Family;

std::optional<LoggedReply> find_reply(const storage::Store& store, std::string_view digest) {
  std::string value;
  if (!store.get(Family::kJudgment, digest, value)) return std::nullopt;
  try {
    const auto json = nlohmann::json::parse(value);
    return LoggedReply{json.at("judge"),        json.at("reply"),    json.at("prompt_tokens"),
                       json.at("reply_tokens"), json.at("attempts"), json.at("cost")};
  } catch (const nlohmann::json::exception& error) {
    throw StorageError("the stored judgment " + std::string(digest) + " cannot be read (" + error.what() +
                       "); the store is damaged");
  }
}

void JudgmentLog::add(const std::vector<Entry>& entries) {
  storage::Batch batch;
  std::string present;
  for (const auto& entry : entries) {
    if (store_.get(Family::kJudgment, entry.digest, present)) continue;
    const nlohmann::ordered_json json = {{"judge", entry.reply.judge},
                                         {"prompt_tokens", entry.reply.prompt_tokens},
                                         {"reply_tokens", entry.reply.reply_tokens},
                                         {"attempts", entry.reply.attempts},
                                         {"cost", entry.reply.cost},
                                         {"reply", entry.reply.reply}};
    batch.put(Family::kJudgment, entry.digest,
              json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  }
  store_.write(batch, storage::Durability::kProcess);
}

}  // namespace touchstone::pipeline
