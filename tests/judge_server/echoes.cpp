#include "tests/judge_server/echoes.hpp"

#include "common/json_tree.hpp"
#include "tests/judge_server/answers.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace touchstone::judge_server {

namespace {

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) { return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U; };
    const unsigned value = at(0) << 16 | at(1) << 8 | at(2);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? kDigits[value >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

template <class Write>
std::string each(std::string_view text, Write write) {
  std::string out;
  for (const char c : text) out += write(static_cast<unsigned char>(c));
  return out;
}

}  // namespace

std::string echoed(std::string_view text, std::string_view form) {
  if (form == "upper")
    return each(text, [](unsigned char c) { return std::string(1, static_cast<char>(std::toupper(c))); });
  if (form == "slash")
    return each(text,
                [](unsigned char c) { return c == '/' ? std::string("\\/") : std::string(1, static_cast<char>(c)); });
  if (form == "unicode") return each(text, [](unsigned char c) { return fmt::format("\\u{:04x}", c); });
  if (form == "percent") return each(text, [](unsigned char c) { return fmt::format("%{:02X}", c); });
  if (form == "percent_twice") return each(text, [](unsigned char c) { return fmt::format("%25{:02x}", c); });
  if (form == "html") return each(text, [](unsigned char c) { return fmt::format("&#{};", c); });
  if (form == "hex") return each(text, [](unsigned char c) { return fmt::format("{:02x}", c); });
  if (form == "base64") return base64(text);
  if (form == "base64_1") return base64("<" + std::string(text) + ">");
  if (form == "base64_2") return base64("::" + std::string(text));
  return std::string(text);
}

void echo_beside(std::string_view key, std::string_view form, std::string& body) {
  if (form == "parts" || form == "tokens" || form == "stream") {
    auto json = parse_json(body);
    auto& choice = json["choices"][0];
    const std::string first(key.substr(0, key.size() / 2)), second(key.substr(key.size() / 2));
    if (form == "parts") {
      choice["message"]["content"] =
          Json::array({{{"type", "text"}, {"text", first}}, {{"type", "text"}, {"text", second}}});
    } else if (form == "tokens") {
      Json content = Json::array();
      for (const char c : key)
        content.push_back({{"token", std::string(1, c)}, {"logprob", -0.1}, {"top_logprobs", Json::array()}});
      choice["logprobs"] = {{"content", content}};
    } else {
      body.clear();
      for (const char c : key) {
        const Json event = {{"choices", Json::array({{{"delta", {{"content", std::string(1, c)}}}}})}};
        body += "data: " + json_text(event) + "\n\n";
      }
      return;
    }
    body = json_text(json);
    return;
  }
  body.insert(1, fmt::format("\"system_fingerprint\":\"{}\",", echoed(key, form)));
}

void echo_as_answer(std::string_view key, std::string_view form, std::string& body) {
  // Within a text within JSON each escape is escaped once more.
  auto answer = fmt::format("{{\"{}\":1}}", echoed(key, form));
  auto json = parse_json(body);
  json["choices"][0]["message"]["content"] = answer;
  body = json_text(json);
}

}  // namespace touchstone::judge_server
