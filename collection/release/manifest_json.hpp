#pragma once

#include "collection/release/manifest.hpp"
#include "common/candidate_source.hpp"

#include <concepts>
#include <filesystem>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

/// Writes and reads manifest.json. A kind lists the fields of its Info and Numbers once, in functions
/// `visit_fields(visit, record)` of its namespace, which both directions call.
namespace touchstone::collection::release {

/// Throws FormatError if there is no such source.
CandidateSource candidate_source_named(const std::string& name);

/// Writes the fields of an object in the order of the calls.
struct FieldsWriter {
  nlohmann::ordered_json& json;

  void operator()(const std::string& name, const auto& value) const { json[name] = value; }
  void operator()(const std::string& name, const CandidateSource& source) const { json[name] = to_string(source); }
  void operator()(const std::string& name, const std::vector<CandidateSource>& sources) const {
    json[name] = nlohmann::ordered_json::array();
    for (const auto source : sources) json[name].push_back(to_string(source));
  }
  /// A field that is left out unless `is_written`.
  void optional(const std::string& name, const auto& value, bool is_written = true) const {
    if (is_written) (*this)(name, value);
  }
  /// The fields of an object within this one.
  void object(const std::string& name, const auto& fields) const {
    json[name] = nlohmann::ordered_json::object();
    fields(FieldsWriter{json[name]});
  }
  /// The fields of an object that may be missing.
  void optional_object(const std::string& name, const auto& record, const auto& fields) const {
    if (record) object(name, [&](const auto& visit) { fields(visit, *record); });
  }
  /// An array of objects, which may be left out if it is empty; `fields` visits those of one record.
  void list(const std::string& name, const auto& records, const auto& fields, bool is_optional = false) const {
    if (is_optional && records.empty()) return;
    json[name] = nlohmann::ordered_json::array();
    for (const auto& record : records)
      fields(FieldsWriter{json[name].emplace_back(nlohmann::ordered_json::object())}, record);
  }
  /// An object of objects by name.
  void map(const std::string& name, const auto& records, const auto& fields) const {
    json[name] = nlohmann::ordered_json::object();
    for (const auto& [key, record] : records)
      fields(FieldsWriter{json[name][key] = nlohmann::ordered_json::object()}, record);
  }
};

/// Reads the fields that FieldsWriter writes. Throws nlohmann::json::exception and FormatError.
struct FieldsReader {
  const nlohmann::ordered_json& json;

  void operator()(const std::string& name, auto& value) const { json.at(name).get_to(value); }
  void operator()(const std::string& name, CandidateSource& source) const {
    source = candidate_source_named(json.at(name).get<std::string>());
  }
  void operator()(const std::string& name, std::vector<CandidateSource>& sources) const {
    sources.clear();
    for (const auto& source : json.at(name)) sources.push_back(candidate_source_named(source.get<std::string>()));
  }
  void optional(const std::string& name, auto& value, bool = true) const {
    if (json.contains(name)) (*this)(name, value);
  }
  void object(const std::string& name, const auto& fields) const { fields(FieldsReader{json.at(name)}); }
  void optional_object(const std::string& name, auto& record, const auto& fields) const {
    if (json.contains(name)) fields(FieldsReader{json.at(name)}, record.emplace());
  }
  void list(const std::string& name, auto& records, const auto& fields, bool is_optional = false) const {
    if (is_optional && !json.contains(name)) return;
    for (const auto& entry : json.at(name)) fields(FieldsReader{entry}, records.emplace_back());
  }
  void map(const std::string& name, auto& records, const auto& fields) const {
    for (const auto& [key, entry] : json.at(name).items()) fields(FieldsReader{entry}, records[key]);
  }
};

/// A record to be written or read.
template <class Type, class Record>
concept RecordOf = std::same_as<std::remove_const_t<Type>, Record>;

/// The fields of the wiki that are first in both kinds, behind the name of the collection if it is one. The dumps come
/// further down.
void visit_wiki(const auto& visit, auto& info) {
  if constexpr (requires { info.name; }) visit("name", info.name);
  visit("wiki", info.wiki);
  visit("site_name", info.site_name);
  visit("base_url", info.base_url);
  visit("language", info.language);
  visit("license", info.license);
}

void visit_dumps(const auto& visit, auto& info) {
  visit("dump_names", info.dump_names);
  visit("dump_date", info.dump_date);
}

/// The fields of a record, as manifest.json has them.
template <class Record>
nlohmann::ordered_json fields_json(const Record& record) {
  auto json = nlohmann::ordered_json::object();
  visit_fields(FieldsWriter{json}, record);
  return json;
}

namespace internal {

/// What does not depend on the kind.
struct NoRecord {};
using ManifestFrame = Manifest<CollectionFacts, NoRecord>;

std::string manifest_text(CollectionKind kind, nlohmann::ordered_json info, nlohmann::ordered_json numbers,
                          const ManifestFrame& frame);

/// \param read_fields  gets the fields of Info and of Numbers; it may throw what FieldsReader does
ManifestFrame read_manifest(
    const std::filesystem::path& directory,
    const std::function<void(const nlohmann::ordered_json& info, const nlohmann::ordered_json& numbers)>& read_fields);

}  // namespace internal

/// The bytes of manifest.json. Without health checks or a baseline run, it does not name any.
template <class Info, class Numbers>
std::string manifest_text(const Manifest<Info, Numbers>& manifest) {
  return internal::manifest_text(Info::kKind, fields_json(manifest.info), fields_json(manifest.numbers),
                                 {manifest.info, {}, manifest.health, manifest.baseline, manifest.files});
}

/// Reads `directory`/manifest.json. Throws StorageError if it is unreadable, FormatError with the remedy if it is
/// damaged, not of a collection, or of a format version that this program does not read.
template <class Info, class Numbers>
Manifest<Info, Numbers> read_manifest(const std::filesystem::path& directory) {
  Manifest<Info, Numbers> manifest;
  auto frame = internal::read_manifest(directory, [&](const auto& info, const auto& numbers) {
    visit_fields(FieldsReader{info}, manifest.info);
    visit_fields(FieldsReader{numbers}, manifest.numbers);
  });
  manifest.info.program_version = std::move(frame.info.program_version);
  manifest.info.manifest_json = std::move(frame.info.manifest_json);
  manifest.health = std::move(frame.health);
  manifest.baseline = std::move(frame.baseline);
  manifest.files = std::move(frame.files);
  return manifest;
}

}  // namespace touchstone::collection::release
