#include "llm_client/reply_secrets.hpp"

#include "common/digest.hpp"
#include "common/secrets.hpp"
#include "text/words.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include <simdjson.h>

namespace touchstone::llm_client {
namespace {

constexpr std::string_view kWithheld =
    R"({"error":{"message":"the reply held the key of the server in pieces, and was not kept","type":"withheld"}})";
constexpr int kDeepest = 64;

/// The texts of a reply, put together by the path that leads to them: all tokens, all parts of a content, and so on.
class JoinedTexts {
 public:
  void add(simdjson::dom::element element) { add(element, 0, 0); }

  bool hold_secret() const {
    std::string all;
    for (const auto& [path, text] : texts_) {
      all += text;
      all += kBetween;
    }
    return hide_secrets(all);
  }

 private:
  static constexpr char kBetween = '\x02';  // in no secret, and part of no escape

  /// \param path  a hash of the names
  void add(simdjson::dom::element element, std::uint64_t path, int depth) {
    if (depth > kDeepest) return;
    std::string_view text;
    std::uint64_t number = 0;
    simdjson::dom::array array;
    simdjson::dom::object object;
    if (element.get_string().get(text) == simdjson::SUCCESS) {
      texts_[path] += text;
    } else if (element.get_uint64().get(number) == simdjson::SUCCESS) {
      if (number < 0x80) texts_[path].push_back(static_cast<char>(number));  // bytes of tokens
    } else if (element.get_array().get(array) == simdjson::SUCCESS) {
      for (const auto item : array) add(item, path, depth + 1);
    } else if (element.get_object().get(object) == simdjson::SUCCESS) {
      for (const auto& [name, value] : object) add(value, xxh3_64(name, path), depth + 1);
    }
  }

  std::unordered_map<std::uint64_t, std::string> texts_;
};

/// The body as JSON, or each event of a stream.
JoinedTexts texts_of(std::string_view body) {
  thread_local simdjson::dom::parser parser;
  JoinedTexts texts;
  simdjson::dom::element element;
  if (parser.parse(body.data(), body.size()).get(element) == simdjson::SUCCESS) {
    texts.add(element);
    return texts;
  }
  constexpr std::string_view kData = "data:";
  for (auto line : text::parts_of(body, "\n")) {
    if (line.starts_with(kData)) line.remove_prefix(kData.size());
    if (parser.parse(line.data(), line.size()).get(element) == simdjson::SUCCESS) texts.add(element);
  }
  return texts;
}

}  // namespace

bool hide_secrets_in_reply(std::string& body) {
  if (!has_secrets()) return false;
  const bool hidden = hide_secrets(body);
  if (!texts_of(body).hold_secret()) return hidden;
  body = kWithheld;
  return true;
}

}  // namespace touchstone::llm_client
