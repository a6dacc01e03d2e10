#pragma once

#include "common/json_tree.hpp"
#include "llm_client/prompts/answer.hpp"

#include <map>

#include <nlohmann/json.hpp>

namespace touchstone::llm_client::prompts {

/// answer_schema() parsed, once. \pre has_schema(kind)
inline const nlohmann::ordered_json& schema_json(AnswerKind kind) {
  static const auto kSchemas = [] {
    std::map<AnswerKind, nlohmann::ordered_json> all;
    for (const auto each : {AnswerKind::kBinary, AnswerKind::kGraded, AnswerKind::kSpans, AnswerKind::kReason,
                            AnswerKind::kGradedReason, AnswerKind::kQuery})
      all[each] = parse_json(answer_schema(each));
    return all;
  }();
  return kSchemas.at(kind);
}

}  // namespace touchstone::llm_client::prompts
