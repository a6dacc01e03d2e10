#include "analysis/studies/passage_facts.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/unicode.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"
#include "formats/json/field_reader.hpp"
#include "text/words.hpp"

#include <limits>
#include <optional>
#include <system_error>
#include <unordered_set>

#include <fmt/format.h>

namespace touchstone::analysis::studies {
namespace {

constexpr const char* kDocidFields[] = {"_id", "doc_id", "docid", "docno", "pid", "id"};
constexpr const char* kTextFields[] = {"text", "contents"};

[[noreturn]] void refuse_line(const std::filesystem::path& file, std::uint64_t line, const std::string& what) {
  throw FormatError(fmt::format("{}:{}: {}", file.string(), line, what));
}

std::optional<std::string> docid_of(simdjson::dom::object object) {
  for (const auto* field : kDocidFields) {
    simdjson::dom::element value;
    if (object[field].get(value) != simdjson::SUCCESS) continue;
    std::string_view text;
    if (value.get(text) == simdjson::SUCCESS) return std::string(text);
    std::uint64_t number = 0;
    if (value.get(number) == simdjson::SUCCESS) return fmt::to_string(number);
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string_view> text_of(simdjson::dom::object object) {
  for (const auto* field : kTextFields) {
    std::string_view text;
    if (object[field].get(text) == simdjson::SUCCESS) return text;
  }
  return std::nullopt;
}

std::filesystem::path corpus_file(const std::filesystem::path& corpus) {
  std::error_code failed;
  if (!std::filesystem::is_directory(corpus, failed)) return corpus;
  for (const char* name : {"corpus.jsonl.gz", "corpus.jsonl"}) {
    if (std::filesystem::exists(corpus / name, failed)) return corpus / name;
  }
  throw StorageError(
      fmt::format("{} holds neither corpus.jsonl.gz nor corpus.jsonl; name a file of JSON lines", corpus.string()));
}

void list_missing(PassageNumbers& found, const std::vector<std::string>& docids) {
  for (const auto& docid : docids) {
    if (!found.numbers.contains(docid)) found.missing.push_back(docid);
  }
}

}  // namespace

PassageNumbers read_word_counts(const std::filesystem::path& corpus, const std::vector<std::string>& docids) {
  const auto file = corpus_file(corpus);
  const std::unordered_set<std::string> wanted(docids.begin(), docids.end());
  PassageNumbers found;
  simdjson::dom::parser parser;
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    if (is_white_space(line)) return true;
    simdjson::dom::object object;
    std::string error;
    if (!formats::json::parse_object(parser, line, object, error)) refuse_line(file, number, error);
    const auto docid = docid_of(object);
    if (!docid) refuse_line(file, number, "has no docid; give each passage the field \"_id\"");
    if (!wanted.contains(*docid)) return true;
    const auto text = text_of(object);
    if (!text) refuse_line(file, number, "has no text; give each passage the field \"text\"");
    found.numbers.emplace(*docid, text::count_words(*text));
    return true;
  });
  list_missing(found, docids);
  return found;
}

PassageNumbers read_popularity(const std::filesystem::path& file, const std::vector<std::string>& docids) {
  const std::unordered_set<std::string> wanted(docids.begin(), docids.end());
  PassageNumbers found;
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    if (line.empty() || line.starts_with('#')) return true;
    const auto columns = formats::fields::split_at_tabs(line, 3);
    std::uint64_t value = 0;
    if (columns.size() != 2 ||
        !formats::fields::parse_integer(columns[1], std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max(), value))
      refuse_line(file, number,
                  fmt::format("{} is not a docid, a tab and a whole number", formats::fields::quote_for_message(line)));
    const std::string docid(columns[0]);
    if (!wanted.contains(docid)) return true;
    if (!found.numbers.emplace(docid, value).second)
      refuse_line(file, number,
                  fmt::format("the docid {} comes twice; give each docid one number",
                              formats::fields::quote_for_message(docid)));
    return true;
  });
  list_missing(found, docids);
  return found;
}

}  // namespace touchstone::analysis::studies
