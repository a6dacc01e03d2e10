#include "llm_client/transport/error_body.hpp"

#include "common/json_tree.hpp"

#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

namespace touchstone::llm_client::transport {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t kMaxErrorBytes = std::size_t{64} << 10;

/// A field's value; null when there is none.
json field(const json& object, const char* key) {
  return object.is_object() && object.contains(key) ? object.at(key) : json();
}

/// The body as an object; Gemini sends it as the only item of a list. Null when there is none.
json parsed_error(std::string_view body) {
  if (body.size() > kMaxErrorBytes) return nullptr;
  auto parsed = parse_json_or_discard(body);
  if (parsed.is_array() && !parsed.empty()) parsed = json(parsed.front());
  return parsed.is_object() ? parsed : json();
}

json error_in(const json& parsed) {
  for (const char* key : {"error", "detail", "message"}) {
    if (auto found = field(parsed, key); !found.is_null()) return found;
  }
  return nullptr;
}

}  // namespace

json error_of(std::string_view body) {
  return error_in(parsed_error(body));
}

/// Sources: Azure's error code `content_filter` with its inner `ResponsibleAIPolicyViolation`; OpenAI's
/// `content_policy_violation` and `invalid_prompt`; Gemini's `blockReason`; OpenRouter's `flagged_input`; the type
/// `content_filter` of gateways before vLLM (read 2026-11).
std::string text_in(const nlohmann::ordered_json& object, const char* name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool names_content_filter(std::string_view body) {
  constexpr std::array<std::string_view, 6> kCodes = {"content_filter",   "content_policy_violation",
                                                      "invalid_prompt",   "ResponsibleAIPolicyViolation",
                                                      "content_filtered", "moderation_blocked"};
  const auto is_code = [&](const std::string& code) { return std::ranges::find(kCodes, code) != kCodes.end(); };
  const auto parsed = parsed_error(body);
  const auto error = error_in(parsed);
  for (const char* key : {"code", "type"}) {
    // vLLM has the fields of its errors at the top.
    if (is_code(text_in(error, key)) || is_code(text_in(parsed, key))) return true;
  }
  for (const char* key : {"innererror", "inner_error"}) {
    if (is_code(text_in(field(error, key), "code"))) return true;
  }
  const auto metadata = field(error, "metadata");
  return (metadata.is_object() && metadata.contains("flagged_input")) ||
         !text_in(field(parsed, "promptFeedback"), "blockReason").empty();
}

}  // namespace touchstone::llm_client::transport
