#include "llm_client/prompts/prompt_template.hpp"

#define TOML_ENABLE_FORMATTERS 0
#include "common/ascii.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "common/toml_bounds.hpp"
#include "common/unicode.hpp"
#include "llm_client/prompts/builtin_prompts.hpp"
#include "llm_client/prompts/inert_text.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>
#include <toml++/toml.h>

namespace touchstone::llm_client::prompts {
namespace {

constexpr std::array<std::string_view, kPromptFieldCount> kFieldNames = {
    "article", "section", "column", "structured", "query", "members", "member", "aliases", "passage_title", "passage"};
constexpr std::uint64_t kMaxPromptBytes = 1 << 20;
constexpr std::string_view kFence = "+++", kSystem = "=== system ===", kUser = "=== user ===";

[[noreturn]] void fail(const std::string& where, std::size_t line, const std::string& what) {
  throw ConfigError(where + " line " + std::to_string(line) + ": " + what +
                    "; docs/judging.md has the form of a prompt");
}

struct Line {
  std::size_t begin = 0, end = 0;  ///< bytes, without and with the line's end
};

std::size_t line_number(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// Where a line that is exactly `wanted` is, from byte `from` on.
Line find_line(std::string_view text, std::string_view wanted, std::size_t from, const std::string& where) {
  for (std::size_t at = from; at < text.size();) {
    auto end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    if (text.substr(at, end - at) == wanted) return {at, std::min(end + 1, text.size())};
    at = end + 1;
  }
  fail(where, line_number(text, std::min(from, text.size())),
       "there is no line " + std::string(wanted) + " from here on");
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  while (!text.empty() && text.front() == '\n') text.remove_prefix(1);
  return text;
}

/// The name of the tag that `literal` ends with, white space aside: "text" of "Judge this:\n<text>\n"; empty if none.
std::string_view tag_before(std::string_view literal) {
  const auto end = literal.find_last_not_of(" \n");
  if (end == std::string_view::npos || literal[end] != '>') return {};
  const auto open = literal.rfind('<', end);
  if (open == std::string_view::npos) return {};
  const auto name = literal.substr(open + 1, end - open - 1);
  const bool is_name = !name.empty() && std::ranges::all_of(name, [](char c) {
    return is_ascii_alphanumeric(c) || c == '_' || c == '-';
  });
  return is_name ? name : std::string_view{};
}

bool closes_tag(std::string_view literal, std::string_view name) {
  const auto begin = literal.find_first_not_of(" \n");
  return begin != std::string_view::npos && literal.substr(begin).starts_with("</" + std::string(name) + ">");
}

bool is_of_member(int field) {
  return field == static_cast<int>(PromptField::kMember) || field == static_cast<int>(PromptField::kAliases);
}
bool is_of_passage(int field) {
  return field >= static_cast<int>(PromptField::kPassageTitle);
}

}  // namespace

std::vector<PromptTemplate::Piece> PromptTemplate::pieces_of(std::string_view part, const std::string& where,
                                                             std::size_t line) {
  std::vector<Piece> pieces;
  int last = -1;
  for (;;) {
    const auto open = part.find("{{");
    Piece piece;
    piece.literal = std::string(part.substr(0, open));
    line += static_cast<std::size_t>(std::count(piece.literal.begin(), piece.literal.end(), '\n'));
    if (open == std::string_view::npos) {
      pieces.push_back(std::move(piece));
      return pieces;
    }
    const auto close = part.find("}}", open);
    if (close == std::string_view::npos) fail(where, line, "a {{ is never closed");
    const auto name = part.substr(open + 2, close - open - 2);
    const auto found = std::find(kFieldNames.begin(), kFieldNames.end(), name);
    if (found == kFieldNames.end()) fail(where, line, "there is no field {{" + std::string(name) + "}}");
    piece.field = static_cast<int>(found - kFieldNames.begin());
    if (is_of_passage(last) && !is_of_passage(piece.field))
      fail(where, line,
           "{{" + std::string(name) +
               "}} comes after a field of the passage; put the passage last, so that "
               "requests of a topic begin alike and servers can reuse what they have read");
    last = std::max(last, piece.field);
    pieces.push_back(std::move(piece));
    part.remove_prefix(close + 2);
  }
}

void PromptTemplate::delimit_passage(std::vector<Piece>& pieces) {
  for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
    if (pieces[i].field != static_cast<int>(PromptField::kPassage)) continue;
    const auto name = tag_before(pieces[i].literal);
    if (!name.empty() && closes_tag(pieces[i + 1].literal, name)) continue;
    pieces[i].literal += "<passage>";
    pieces[i + 1].literal.insert(0, "</passage>");
  }
}

std::string_view PromptTemplate::missing_fields() const noexcept {
  const bool names_group = uses(PromptField::kArticle) || uses(PromptField::kStructured);
  if (is_query(answer_)) {
    if (uses(PromptField::kQuery)) return "the user part holds {{query}}, which is what the prompt asks for";
    return names_group ? "" : "the user part lacks {{article}} or {{structured}}";
  }
  const bool asks_of_member = names_group && uses(PromptField::kMember);
  if (uses(PromptField::kPassage) && (asks_of_member || uses(PromptField::kQuery))) return "";
  return "the user part lacks {{passage}}, or what the passage is judged by: {{article}} (or {{structured}}) with "
         "{{member}}, or {{query}}";
}

PromptTemplate PromptTemplate::parse(std::string_view text, const std::string& where) {
  if (!is_valid_utf8(text)) throw ConfigError(where + ": is not UTF-8; save it as UTF-8");
  const Line open = find_line(text, kFence, 0, where);
  if (open.begin != 0) fail(where, 1, "the first line is not +++");
  const Line close = find_line(text, kFence, open.end, where);
  const Line system = find_line(text, kSystem, close.end, where);
  const Line user = find_line(text, kUser, system.end, where);

  PromptTemplate prompt;
  prompt.digest_ = sha256_hex(text);
  bool has_answer = false;
  const auto toml = text.substr(open.end, close.begin - open.end);
  if (const auto line = line_of_deep_toml_key(toml); line > 0) fail(where, line + 1, deep_toml_key_text());
  try {
    const toml::table head = toml::parse(toml, where);
    for (const auto& [key, node] : head) {
      const auto value = node.value<std::string>();
      if (key.str() == "name" && value) {
        prompt.name_ = *value;
      } else if (key.str() == "answer" && value) {
        const auto kind = answer_kind(*value);
        if (!kind)
          fail(where, node.source().begin.line + 1, "there is no answer \"" + *value + "\": " + answer_kind_names());
        prompt.answer_ = *kind;
        has_answer = true;
      } else {
        fail(where, node.source().begin.line + 1,
             "\"" + std::string(key.str()) +
                 "\" is an unknown key or no text; the head holds name and answer, both texts");
      }
    }
  } catch (const toml::parse_error& error) {
    fail(where, error.source().begin.line + 1, "not valid TOML (" + std::string(error.description()) + ")");
  }
  if (prompt.name_.empty() || !has_answer) fail(where, 1, "the head lacks name or answer");
  prompt.system_ =
      pieces_of(without_blanks(text.substr(system.end, user.begin - system.end)), where, line_number(text, system.end));
  prompt.user_ = pieces_of(without_blanks(text.substr(user.end)), where, line_number(text, user.end));
  for (const auto& piece : prompt.system_) {
    if (piece.field >= 0)
      fail(where, line_number(text, system.begin), "the system part holds a field; fields go into the user part");
  }
  delimit_passage(prompt.user_);
  if (const auto missing = prompt.missing_fields(); !missing.empty())
    fail(where, line_number(text, user.begin), std::string(missing));
  return prompt;
}

PromptTemplate PromptTemplate::load(const std::string& name_or_file) {
  for (const auto& prompt : internal::builtin_prompts()) {
    if (prompt.name == name_or_file) return parse(prompt.text, name_or_file);
  }
  if (!std::filesystem::exists(name_or_file)) {
    std::string names;
    for (const auto& name : built_in_names()) names += (names.empty() ? "" : ", ") + name;
    throw ConfigError("there is no prompt \"" + name_or_file + "\": name a file, or one of " + names);
  }
  return parse(read_file(name_or_file, kMaxPromptBytes), name_or_file);
}

namespace {

std::string right_answer(AnswerKind kind, const PromptExample& example) {
  const std::string word = example.evidence ? "yes" : "no";
  if (kind == AnswerKind::kYesNo) return word;
  nlohmann::ordered_json answer = {{"evidence", word}};
  if (kind == AnswerKind::kReason) answer["reason"] = example.reason;
  return json_text(answer);
}

}  // namespace

PromptTemplate PromptTemplate::with_examples(const std::vector<PromptExample>& examples) const {
  if (answer_ != AnswerKind::kBinary && answer_ != AnswerKind::kReason && answer_ != AnswerKind::kYesNo)
    throw ConfigError(
        "judge.examples: the prompt \"" + name_ + "\" asks for answers of the kind " +
        std::string(answer_kind_name(answer_)) +
        ", and gold labels say yes or no; choose a prompt with answers of the kind binary, reason or yes-no");
  if (examples.empty()) return *this;
  std::string text = "Examples, each with its right answer:";
  for (const auto& example : examples)
    text += "\n\n" + render(example.values).user + "\nAnswer: " + right_answer(answer_, example);
  PromptTemplate with = *this;
  if (!with.system_.empty()) text = "\n\n" + text;
  with.system_.push_back({std::move(text), -1});
  with.digest_ = Sha256().update_field(digest_).update_field(with.system_.back().literal).hex();
  return with;
}

std::vector<std::string> PromptTemplate::built_in_names() {
  std::vector<std::string> names;
  for (const auto& prompt : internal::builtin_prompts()) names.emplace_back(prompt.name);
  return names;
}

RenderedPrompt PromptTemplate::render(const PromptValues& values) const {
  RenderedPrompt out;
  for (const auto& piece : system_) out.system += piece.literal;
  bool in_topic = true, before_passage = true;
  for (const auto& piece : user_) {
    out.user += piece.literal;
    if (piece.field < 0) continue;
    if (in_topic && (is_of_member(piece.field) || is_of_passage(piece.field))) {
      in_topic = false;
      out.topic_bytes = out.user.size();
    }
    if (before_passage && is_of_passage(piece.field)) {
      before_passage = false;
      out.member_bytes = out.user.size();
    }
    const auto& value = values[static_cast<std::size_t>(piece.field)];
    out.user += value.empty() ? std::string("(none)") : inert_text(value);
  }
  if (in_topic) out.topic_bytes = out.user.size();
  if (before_passage) out.member_bytes = out.user.size();
  return out;
}

bool PromptTemplate::uses(PromptField field) const noexcept {
  return std::any_of(user_.begin(), user_.end(),
                     [&](const Piece& piece) { return piece.field == static_cast<int>(field); });
}

}  // namespace touchstone::llm_client::prompts
