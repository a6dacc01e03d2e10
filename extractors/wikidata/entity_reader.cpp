#include "extractors/wikidata/entity_reader.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <simdjson.h>

namespace touchstone::extractors::wikidata {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::element;
using simdjson::dom::object;

/// Thrown within the reader of a line; holds the name of the field that is not as it should be.
struct BadField {
  std::string field;
};

constexpr std::string_view kDeprecated = "deprecated", kValue = "value", kEntityId = "wikibase-entityid";

/// The fields of an object. Older dumps write `[]` for one without fields. False if there is nothing to read.
bool fields_of(element value, std::string_view name, object& fields) {
  if (value.get(fields) == SUCCESS) return fields.begin() != fields.end();
  simdjson::dom::array list;
  if ((value.get(list) == SUCCESS && list.begin() == list.end()) || value.is_null()) return false;
  throw BadField{std::string(name)};
}

std::string_view text_of(object fields, std::string_view key, std::string_view name) {
  std::string_view text;
  if (fields.at_key(key).get(text) != SUCCESS) throw BadField{std::string(name)};
  return text;
}

bool contains(const std::vector<std::string>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/// The number of the item that a statement says; 0 if it says another thing, or nothing ("unknown value").
std::uint64_t item_of(element statement) {
  std::string_view rank, snak_type, type, id;
  if (statement.at_key("rank").get(rank) == SUCCESS && rank == kDeprecated) return 0;
  element snak, value;
  if (statement.at_key("mainsnak").get(snak) != SUCCESS || snak.at_key("snaktype").get(snak_type) != SUCCESS)
    throw BadField{"claims"};
  if (snak_type != kValue) return 0;
  if (snak.at_key("datavalue").at_key("type").get(type) != SUCCESS || type != kEntityId) return 0;
  if (snak.at_key("datavalue").at_key("value").get(value) != SUCCESS) throw BadField{"claims"};
  if (value.at_key("id").get(id) == SUCCESS) return id_number(id, 'Q');
  std::string_view kind;
  std::uint64_t number = 0;
  if (value.at_key("entity-type").get(kind) != SUCCESS || kind != "item") return 0;
  return value.at_key("numeric-id").get(number) == SUCCESS ? number : 0;
}

void read_texts(element value, std::string_view name, const std::vector<std::string>& languages,
                std::vector<LanguageText>& out, std::uint32_t* count) {
  object fields;
  if (!fields_of(value, name, fields)) return;
  for (const auto [language, entry] : fields) {
    if (count != nullptr) ++*count;
    if (!contains(languages, language)) continue;
    object text;
    if (entry.get(text) != SUCCESS) throw BadField{std::string(name)};
    out.push_back({std::string(language), std::string(text_of(text, kValue, name))});
  }
}

void read_aliases(element value, const std::vector<std::string>& languages, std::vector<LanguageText>& out) {
  object fields;
  if (!fields_of(value, "aliases", fields)) return;
  for (const auto [language, entries] : fields) {
    if (!contains(languages, language)) continue;
    simdjson::dom::array list;
    if (entries.get(list) != SUCCESS) throw BadField{"aliases"};
    for (const auto entry : list) {
      object text;
      if (entry.get(text) != SUCCESS) throw BadField{"aliases"};
      out.push_back({std::string(language), std::string(text_of(text, kValue, "aliases"))});
    }
  }
}

void read_sitelinks(element value, const EntityOptions& options, Entity& entity) {
  object fields;
  if (!fields_of(value, "sitelinks", fields)) return;
  for (const auto [site, entry] : fields) {
    ++entity.sitelink_count;
    if (!options.all_sites && site != options.site) continue;
    object link;
    if (entry.get(link) != SUCCESS) throw BadField{"sitelinks"};
    entity.sitelinks.push_back({std::string(site), std::string(text_of(link, "title", "sitelinks"))});
  }
}

void read_claims(element value, const EntityOptions& options, Entity& entity) {
  object fields;
  if (!fields_of(value, "claims", fields)) return;
  for (const auto [id, entries] : fields) {
    const auto property = id_number(id, 'P');
    if (std::find(options.properties.begin(), options.properties.end(), property) == options.properties.end()) continue;
    simdjson::dom::array list;
    if (entries.get(list) != SUCCESS) throw BadField{"claims"};
    for (const auto statement : list) {
      if (const auto item = item_of(statement); item != 0)
        entity.statements.push_back({static_cast<std::uint32_t>(property), item});
    }
  }
}

void read_field(std::string_view key, element value, const EntityOptions& options, Entity& entity) {
  if (key == "labels") {
    read_texts(value, key, options.languages, entity.labels, &entity.label_count);
  } else if (key == "descriptions") {
    if (!options.languages.empty()) read_texts(value, key, options.languages, entity.descriptions, nullptr);
  } else if (key == "aliases") {
    if (!options.languages.empty()) read_aliases(value, options.languages, entity.aliases);
  } else if (key == "sitelinks") {
    read_sitelinks(value, options, entity);
  } else if (key == "claims") {
    if (!options.properties.empty()) read_claims(value, options, entity);
  }
}

/// Whether the text is the id of an entity: a capital and a number ("Q42", "P31", "L7").
bool is_entity_id(std::string_view id) {
  return !id.empty() && id.front() >= 'A' && id.front() <= 'Z' && id_number(id, id.front()) != 0;
}

}  // namespace

std::uint64_t id_number(std::string_view id, char letter) noexcept {
  if (id.size() < 2 || id.front() != letter || id[1] == '0') return 0;
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(id.data() + 1, id.data() + id.size(), number);
  return error == std::errc() && end == id.data() + id.size() ? number : 0;
}

std::string_view to_string(LineIssue issue) noexcept {
  switch (issue) {
    case LineIssue::kMalformedJson:
      return "malformed JSON";
    case LineIssue::kArray:
      return "an array, where one entity a line is expected";
    case LineIssue::kNotAnObject:
      return "not an object";
    case LineIssue::kBadId:
      return "without an id such as \"Q42\"";
    case LineIssue::kBadField:
      return "a field of another form than the format has";
    case LineIssue::kTooLong:
      return "longer than the limit of a line";
    case LineIssue::kCut:
      return "the file ends within the line";
  }
  return "?";
}

std::string LineError::reason() const {
  std::string text(to_string(issue));
  return detail.empty() ? text : text + ": " + detail;
}

struct EntityReader::Impl {
  simdjson::dom::parser parser;
  EntityOptions options;
};

EntityReader::EntityReader(EntityOptions options) : impl_(std::make_unique<Impl>()) {
  impl_->options = std::move(options);
}
EntityReader::~EntityReader() = default;
EntityReader::EntityReader(EntityReader&&) noexcept = default;

std::size_t EntityReader::padding() noexcept {
  return simdjson::SIMDJSON_PADDING;
}

Result<Entity, LineError> EntityReader::read(std::string_view line) {
  using Outcome = Result<Entity, LineError>;
  element root;
  if (const auto error = impl_->parser.parse(line.data(), line.size(), false).get(root))
    return Outcome::failure({LineIssue::kMalformedJson, simdjson::error_message(error)});
  object fields;
  if (root.is_array()) return Outcome::failure({LineIssue::kArray, {}});
  if (root.get(fields) != SUCCESS) return Outcome::failure({LineIssue::kNotAnObject, {}});
  std::string_view id;
  if (fields.at_key("id").get(id) != SUCCESS || !is_entity_id(id)) return Outcome::failure({LineIssue::kBadId, {}});
  Entity entity;
  entity.id = id;
  try {
    for (const auto [key, value] : fields) read_field(key, value, impl_->options, entity);
  } catch (BadField& bad) {
    return Outcome::failure({LineIssue::kBadField, std::move(bad.field)});
  }
  return entity;
}

}  // namespace touchstone::extractors::wikidata
