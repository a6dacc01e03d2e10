#include "collection/hub_features.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace touchstone::collection {
namespace {

enum class Type { kText, kInteger, kNumber, kBoolean, kTexts, kRanges, kObject, kObjects };

struct Column {
  std::string_view name;
  Type type;
  std::vector<Column> fields = {};  ///< of kObject and kObjects
};

struct Config {
  std::string_view name, split, path;
  std::vector<Column> columns;
};

std::vector<Column> judgment_columns() {
  return {{"topic", Type::kText},
          {"docid", Type::kText},
          {"member", Type::kText},
          {"member_page_id", Type::kInteger},
          {"own_article", Type::kBoolean},
          {"source", Type::kText},
          {"grade", Type::kInteger},
          {"probability", Type::kNumber},
          {"state", Type::kText},
          {"reason", Type::kText},
          {"mentions", Type::kRanges},
          {"spans", Type::kRanges},
          {"judge", Type::kText},
          {"prompt", Type::kText},
          {"digest", Type::kText},
          {"votes",
           Type::kObjects,
           {{"judge", Type::kText},
            {"grade", Type::kInteger},
            {"probability", Type::kNumber},
            {"state", Type::kText},
            {"digest", Type::kText},
            {"own_grade", Type::kInteger}}},
          {"reply", Type::kText}};
}

std::vector<Config> configs() {
  return {{"corpus",
           "corpus",
           "corpus.jsonl.gz",
           {{"_id", Type::kText},
            {"title", Type::kText},
            {"text", Type::kText},
            {"metadata",
             Type::kObject,
             {{"page_id", Type::kInteger},
              {"ordinal", Type::kInteger},
              {"revision", Type::kInteger},
              {"section", Type::kTexts},
              {"copies", Type::kTexts}}}}},
          {"queries",
           "queries",
           "queries.jsonl",
           {{"_id", Type::kText},
            {"text", Type::kText},
            {"metadata",
             Type::kObject,
             {{"structured", Type::kText},
              {"page", Type::kText},
              {"page_id", Type::kInteger},
              {"section", Type::kTexts},
              {"column", Type::kText},
              {"query_source", Type::kText},
              {"query_verdict", Type::kText}}}}},
          {"default",
           "test",
           "qrels/test.jsonl",
           {{"query-id", Type::kText}, {"corpus-id", Type::kText}, {"score", Type::kInteger}}},
          {"evidence",
           "test",
           "evidence.jsonl",
           {{"query", Type::kText},
            {"topic", Type::kText},
            {"member", Type::kText},
            {"qid", Type::kText},
            {"docid", Type::kText},
            {"title", Type::kText},
            {"section", Type::kTexts},
            {"url", Type::kText},
            {"text", Type::kText},
            {"mentions", Type::kRanges},
            {"spans", Type::kRanges},
            {"own_article", Type::kBoolean},
            {"source", Type::kText},
            {"grade", Type::kInteger},
            {"probability", Type::kNumber},
            {"judge", Type::kText}}},
          {"members",
           "test",
           "members.jsonl",
           {{"topic", Type::kText},
            {"title", Type::kText},
            {"page_id", Type::kInteger},
            {"qid", Type::kText},
            {"aliases", Type::kTexts},
            {"candidates", Type::kInteger},
            {"evidence", Type::kInteger}}},
          {"judgments", "test", "judgments.jsonl.gz", judgment_columns()},
          {"unjudged", "test", "unjudged.jsonl", judgment_columns()}};
}

std::string columns_yaml(const std::vector<Column>& columns, const std::string& indent);

/// What stands below the name of a column.
std::string type_yaml(const Column& column, const std::string& indent) {
  switch (column.type) {
    case Type::kText:
      return indent + "dtype: string\n";
    case Type::kInteger:
      return indent + "dtype: int64\n";
    case Type::kNumber:
      return indent + "dtype: float64\n";
    case Type::kBoolean:
      return indent + "dtype: bool\n";
    case Type::kTexts:
      return indent + "list: string\n";
    case Type::kRanges:
      return indent + "list:\n" + indent + "  list: int64\n";
    case Type::kObject:
      return indent + "struct:\n" + columns_yaml(column.fields, indent);
    case Type::kObjects:
      return indent + "list:\n" + columns_yaml(column.fields, indent);
  }
  return {};
}

std::string columns_yaml(const std::vector<Column>& columns, const std::string& indent) {
  std::string yaml;
  for (const auto& column : columns)
    yaml += fmt::format("{}- name: {}\n{}", indent, column.name, type_yaml(column, indent + "  "));
  return yaml;
}

}  // namespace

std::string hub_configs() {
  std::string files = "configs:\n", types = "dataset_info:\n";
  for (const auto& config : configs()) {
    files += fmt::format("- config_name: {}\n  data_files:\n  - split: {}\n    path: {}\n", config.name, config.split,
                         config.path);
    types += fmt::format("- config_name: {}\n  features:\n{}", config.name, columns_yaml(config.columns, "  "));
  }
  return files + types;
}

}  // namespace touchstone::collection
