#pragma once

#include "common/progress.hpp"
#include "common/stop.hpp"
#include "llm_client/budget.hpp"
#include "llm_client/served_model.hpp"
#include "tests/support/judge_server.hpp"
#include "tests/support/memory_reply_store.hpp"
#include "tests/support/temporary_folder.hpp"

#include <string>

#include <gtest/gtest.h>

namespace touchstone::llm_client {

/// A model behind a server that gives right answers, and what requesters need.
class ServedModelTest : public ::testing::Test {
 protected:
  ServedModel served_model(providers::Protocol protocol = providers::Protocol::kOpenAi) const {
    ServedModel model{{protocol, {.model = "test-model"}, prompts::PromptTemplate::load("evidence-binary")}, {}};
    model.server.base_url = server.base_url();
    model.server.servers = {{server.base_url(), 1}};
    model.server.probe = false;
    model.server.batch.folder = folder / "batches";
    model.server.batch.poll_interval = std::chrono::seconds(0);
    return model;
  }

  static prompts::PromptValues values_of(const std::string& member) {
    prompts::PromptValues values;
    values[static_cast<std::size_t>(prompts::PromptField::kArticle)] = "List of lighthouses";
    values[static_cast<std::size_t>(prompts::PromptField::kMember)] = member;
    values[static_cast<std::size_t>(prompts::PromptField::kPassage)] = "A lighthouse.";
    return values;
  }
  static PendingRequest request(const ServedModel& of, const std::string& member) {
    const auto question = of.model.question(values_of(member), 0);
    PendingRequest request;
    request.digest = question.digest;
    request.body = of.model.body(question, {});
    request.topic = "topic";
    request.size = question.size;
    return request;
  }

  testing::JudgeServer server;
  testing::TemporaryFolder folder;
  testing::MemoryReplyStore store;
  Budget budget{{}};
  StopFlag stop;
  ProgressCounters progress;
};

}  // namespace touchstone::llm_client
