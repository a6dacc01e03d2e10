#pragma once

#include "common/json_tree.hpp"
#include "llm_client/prompts/answer.hpp"

#include <array>

#include <nlohmann/json.hpp>

namespace touchstone::llm_client::prompts {

/// answer_schema() parsed, once.
inline const nlohmann::ordered_json& schema_json(AnswerKind kind) {
  static const auto kSchemas = [] {
    std::array<nlohmann::ordered_json, 4> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = parse_json(answer_schema(static_cast<AnswerKind>(i)));
    return all;
  }();
  return kSchemas[static_cast<std::size_t>(kind)];
}

}  // namespace touchstone::llm_client::prompts
