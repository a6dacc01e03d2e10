#include "pipeline/corpus/wikidata_topics.hpp"

#include "extractors/wikidata/entity_reader.hpp"
#include "pipeline/corpus/item_records.hpp"

#include <limits>
#include <optional>
#include <set>
#include <string_view>

namespace touchstone::pipeline::corpus {
namespace {

using extractors::wikidata::id_number;

/// "P131=Q22"; nothing for any other text.
std::optional<storage::ItemStatement> read_statement(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const auto property = id_number(text.substr(0, equals), 'P'), item = id_number(text.substr(equals + 1), 'Q');
  if (property == 0 || property > std::numeric_limits<std::uint32_t>::max() || item == 0) return std::nullopt;
  return storage::ItemStatement{static_cast<std::uint32_t>(property), item};
}

}  // namespace

std::vector<Option<WikidataTopic>> WikidataTopic::options() {
  return {
      {"name", &WikidataTopic::name, "The query, such as \"lighthouses in Scotland\"."},
      {"class", &WikidataTopic::of_class,
       "A class such as \"Q39715\": the items are instances of it or of its subclasses."},
      {"properties", &WikidataTopic::properties, "Statements such as \"P131=Q22\", all of which the items have."},
  };
}

std::vector<Option<WikidataTopicsOptions>> WikidataTopicsOptions::options() {
  return {
      {"groups.wikidata", &WikidataTopicsOptions::topics,
       "Topics from conditions on items of Wikidata, a table each: name, class, properties (docs/wikidata.md). Needs "
       "a dump of Wikidata (link.wikidata)."}};
}

std::vector<std::string> WikidataTopicsOptions::problems(const Settings& settings) {
  std::vector<std::string> problems;
  const auto& options = settings.get<WikidataTopicsOptions>();
  if (!options.topics.empty() && settings.get<WikidataOptions>().files.empty())
    problems.emplace_back("groups.wikidata describes topics by items of Wikidata; name its dump with --wikidata");
  std::set<std::string> names;
  for (const auto& given : options.topics) {
    const auto topic = given.over({});
    const auto which = "groups.wikidata, topic \"" + topic.name + "\": ";
    if (topic.name.empty())
      problems.emplace_back("groups.wikidata: a topic has no name; give it one, which is the query");
    else if (!names.insert(topic.name).second)
      problems.push_back(which + "there is another one of this name; name each topic differently");
    if (topic.of_class.empty() && topic.properties.empty())
      problems.push_back(which + "it has no condition; give it a class, or properties");
    if (!topic.of_class.empty() && id_number(topic.of_class, 'Q') == 0)
      problems.push_back(which + "its class \"" + topic.of_class + "\" is not the id of an item, such as Q39715");
    for (const auto& text : topic.properties) {
      if (!read_statement(text))
        problems.push_back(which + "\"" + text + "\" is not a property and an item, such as P131=Q22");
    }
  }
  return problems;
}

std::vector<WikidataConditions> WikidataTopicsOptions::conditions() const {
  std::vector<WikidataConditions> all;
  for (const auto& given : topics) {
    const auto topic = given.over({});
    WikidataConditions conditions{topic.name, id_number(topic.of_class, 'Q'), {}};
    for (const auto& text : topic.properties) conditions.statements.push_back(read_statement(text).value());
    all.push_back(std::move(conditions));
  }
  return all;
}

std::vector<std::uint32_t> WikidataTopicsOptions::properties() const {
  std::set<std::uint32_t> numbers;
  for (const auto& topic : conditions()) {
    for (const auto& statement : topic.statements) numbers.insert(statement.property);
  }
  return {numbers.begin(), numbers.end()};
}

}  // namespace touchstone::pipeline::corpus
