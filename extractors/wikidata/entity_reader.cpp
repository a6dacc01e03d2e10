#include "extractors/wikidata/entity_reader.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include <simdjson.h>

namespace touchstone::extractors::wikidata {
namespace {

using simdjson::SUCCESS;
using simdjson::ondemand::array;
using simdjson::ondemand::object;
using simdjson::ondemand::value;
using Item = simdjson::simdjson_result<value>;  ///< of a list

/// Thrown within the reader of a line; holds the name of the field that is not as it should be.
struct BadField {
  std::string field;
};

/// Thrown within the reader of a line that is no JSON.
struct BadJson {
  simdjson::error_code error;
};

constexpr std::string_view kDeprecated = "deprecated", kValue = "value", kEntityId = "wikibase-entityid";

/// What simdjson found, which must be of the type that is asked for.
template <typename T, typename Found>
T as(Found&& found, std::string_view field) {
  T result;
  const auto error = std::forward<Found>(found).get(result);
  if (error == SUCCESS) return result;
  if (error == simdjson::INCORRECT_TYPE || error == simdjson::NO_SUCH_FIELD) throw BadField{std::string(field)};
  throw BadJson{error};
}

/// What simdjson found, or nothing where it is of another type or lacks.
template <typename T, typename Found>
std::optional<T> if_any(Found&& found) {
  T result;
  const auto error = std::forward<Found>(found).get(result);
  if (error == SUCCESS) return result;
  if (error == simdjson::INCORRECT_TYPE || error == simdjson::NO_SUCH_FIELD) return std::nullopt;
  throw BadJson{error};
}

/// Calls visit(key, value) for the fields of an object. Older dumps write `[]` for one without fields.
template <typename Visit>
void for_fields(value found, std::string_view name, Visit visit) {
  if (const auto fields = if_any<object>(found.get_object())) {
    for (auto field : object(*fields))
      visit(as<std::string_view>(field.unescaped_key(), name), as<value>(field.value(), name));
    return;
  }
  if (auto list = if_any<array>(found.get_array())) {
    if (as<bool>(list->is_empty(), name)) return;
  } else if (found.is_null()) {
    return;
  }
  throw BadField{std::string(name)};
}

/// The text of the field of an object.
std::string text_of(value entry, std::string_view key, std::string_view name) {
  auto fields = as<object>(entry.get_object(), name);
  return std::string(as<std::string_view>(fields[key].get_string(), name));
}

bool contains(const std::vector<std::string>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

/// The number of the item that a statement says; 0 if it says another thing, or nothing ("unknown value").
std::uint64_t item_of(value entry) {
  constexpr std::string_view kName = "claims";
  auto statement = as<object>(entry.get_object(), kName);
  if (if_any<std::string_view>(statement["rank"].get_string()) == kDeprecated) return 0;
  auto snak = as<object>(statement["mainsnak"].get_object(), kName);
  if (as<std::string_view>(snak["snaktype"].get_string(), kName) != kValue) return 0;
  auto data = if_any<object>(snak["datavalue"].get_object());
  if (!data || if_any<std::string_view>((*data)["type"].get_string()) != kEntityId) return 0;
  auto entity = as<object>((*data)["value"].get_object(), kName);
  if (const auto id = if_any<std::string_view>(entity["id"].get_string())) return id_number(*id, 'Q');
  if (if_any<std::string_view>(entity["entity-type"].get_string()) != "item") return 0;
  return if_any<std::uint64_t>(entity["numeric-id"].get_uint64()).value_or(0);
}

void read_texts(value texts, std::string_view name, const std::vector<std::string>& languages,
                std::vector<LanguageText>& out, std::uint32_t* count) {
  for_fields(texts, name, [&](std::string_view language, value entry) {
    if (count != nullptr) ++*count;
    if (contains(languages, language)) out.push_back({std::string(language), text_of(entry, kValue, name)});
  });
}

void read_aliases(value aliases, const std::vector<std::string>& languages, std::vector<LanguageText>& out) {
  for_fields(aliases, "aliases", [&](std::string_view language, value entries) {
    if (!contains(languages, language)) return;
    for (auto entry : as<array>(entries.get_array(), "aliases"))
      out.push_back({std::string(language), text_of(as<value>(Item(entry), "aliases"), kValue, "aliases")});
  });
}

void read_sitelinks(value sitelinks, const EntityOptions& options, Entity& entity) {
  for_fields(sitelinks, "sitelinks", [&](std::string_view site, value entry) {
    ++entity.sitelink_count;
    if (options.all_sites || site == options.site)
      entity.sitelinks.push_back({std::string(site), text_of(entry, "title", "sitelinks")});
  });
}

void read_claims(value claims, const EntityOptions& options, Entity& entity) {
  for_fields(claims, "claims", [&](std::string_view id, value entries) {
    const auto property = id_number(id, 'P');
    if (std::find(options.properties.begin(), options.properties.end(), property) == options.properties.end()) return;
    for (auto statement : as<array>(entries.get_array(), "claims")) {
      if (const auto item = item_of(as<value>(Item(statement), "claims")); item != 0)
        entity.statements.push_back({static_cast<std::uint32_t>(property), item});
    }
  });
}

void read_field(std::string_view key, value found, const EntityOptions& options, Entity& entity) {
  if (key == "id") {
    entity.id = if_any<std::string_view>(found.get_string()).value_or("");
  } else if (key == "labels") {
    read_texts(found, key, options.languages, entity.labels, &entity.label_count);
  } else if (key == "descriptions") {
    if (!options.languages.empty()) read_texts(found, key, options.languages, entity.descriptions, nullptr);
  } else if (key == "aliases") {
    if (!options.languages.empty()) read_aliases(found, options.languages, entity.aliases);
  } else if (key == "sitelinks") {
    read_sitelinks(found, options, entity);
  } else if (key == "claims") {
    if (!options.properties.empty()) read_claims(found, options, entity);
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
  simdjson::ondemand::parser parser;
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
  const auto malformed = [](simdjson::error_code error) {
    return Outcome::failure({LineIssue::kMalformedJson, simdjson::error_message(error)});
  };
  simdjson::ondemand::document document;
  if (const auto error = impl_->parser.iterate(line.data(), line.size(), line.size() + padding()).get(document))
    return malformed(error);
  Entity entity;
  try {
    switch (as<simdjson::ondemand::json_type>(document.type(), "")) {
      case simdjson::ondemand::json_type::array:
        return Outcome::failure({LineIssue::kArray, {}});
      case simdjson::ondemand::json_type::object:
        break;
      case simdjson::ondemand::json_type::null:
        if (!document.is_null()) return malformed(simdjson::N_ATOM_ERROR);
        [[fallthrough]];
      default:
        return Outcome::failure({LineIssue::kNotAnObject, {}});
    }
    for (auto field : as<object>(document.get_object(), ""))
      read_field(as<std::string_view>(field.unescaped_key(), ""), as<value>(field.value(), ""), impl_->options, entity);
    if (document.current_location().error() == SUCCESS) return malformed(simdjson::TAPE_ERROR);
  } catch (BadField& bad) {
    return Outcome::failure({LineIssue::kBadField, std::move(bad.field)});
  } catch (const BadJson& bad) {
    return malformed(bad.error);
  }
  if (!is_entity_id(entity.id)) return Outcome::failure({LineIssue::kBadId, {}});
  return entity;
}

}  // namespace touchstone::extractors::wikidata
