#include "collection/evidence/validation/validator.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

namespace touchstone::collection::evidence::validation {
namespace {

using nlohmann::ordered_json;

}  // namespace

void Validator::check_manifest() {
  const std::string_view name = release::kManifest.name;
  if (!is_present(name)) return;
  try {
    manifest_ = read_manifest(directory_);
  } catch (const FormatError& error) {
    damaged(name, error);
    return;
  }
  check_listed_files(names(), manifest_->files);
  if (!(topics_read_ && passages_read_ && members_read_ && judgments_read_ && discarded_read_)) return;
  const ordered_json counted = numbers_json(counter_.numbers());
  const ordered_json stated = numbers_json(manifest_->numbers);
  // Judgments that name no source are not counted by source: a number may be missing on either side.
  ordered_json expected = counted;
  for (const auto& [key, value] : stated.items()) {
    if (!counted.contains(key)) expected[key] = nullptr;
  }
  for (const auto& [key, value] : expected.items()) {
    const ordered_json found = stated.contains(key) ? stated.at(key) : ordered_json();
    if (found != value) {
      problem(name, 0,
              "says " + key + " " + quote(json_text(found)) + " where the files have " + quote(json_text(value)) +
                  "; export the collection again");
    }
  }
}

void Validator::check_card() {
  const std::string_view name = release::kCard.name;
  if (!is_present(name)) return;
  std::string card;
  try {
    card = read_file(directory_ / name, kMaxCardBytes);
  } catch (const FormatError& error) {
    damaged(name, error);
    return;
  }
  const auto end = card.find("\n---\n", 3);
  if (card.rfind("---\n", 0) != 0 || end == std::string::npos) {
    problem(name, 0,
            "does not start with YAML front matter between two lines \"---\", which dataset hubs read; export the "
            "collection again");
    return;
  }
  constexpr std::string_view kPath = "path: ";
  std::size_t paths = 0;
  for (std::size_t at = card.find(kPath); at < end; at = card.find(kPath, at + 1)) {
    const std::size_t start = at + kPath.size();
    const std::string path = card.substr(start, card.find('\n', start) - start);
    ++paths;
    if (!is_ours(path)) {
      problem(name, 0, "names the data file " + quote(path) + ", which a collection does not have; correct the path");
    }
  }
  if (paths == 0)
    problem(name, 0,
            "names no data files in its front matter, so that dataset hubs show nothing; export the collection again");
  if (manifest_ && manifest_->info.baseline_judge && card.find("BASELINE") == std::string::npos) {
    problem(name, 0,
            "does not say that the labels are a BASELINE, as manifest.json does; readers must be told, export the "
            "collection again");
  }
}

void Validator::check_croissant() {
  const std::string_view name = release::kCroissant.name;
  if (!is_present(name)) return;
  try {
    const auto json = parse_json(read_file(directory_ / name, release::kMaxManifestBytes));
    check_croissant_json(json);
    check_croissant_fields(json);
  } catch (const nlohmann::json::exception& error) {
    problem(name, 0,
            "is not as Croissant wants it: " + release::json_complaint(error) + "; export the collection again");
  } catch (const FormatError& error) {
    damaged(name, error);
  }
}

void Validator::check_croissant_json(const ordered_json& json) {
  const std::string_view name = release::kCroissant.name;
  const auto conforms = json.at("conformsTo").get<std::string>();
  if (conforms != "http://mlcommons.org/croissant/1.0" && conforms != "http://mlcommons.org/croissant/1.1") {
    problem(name, 0,
            "conforms to " + quote(conforms) + ", which is not a known Croissant version; export the collection again");
  }
  std::map<std::string, const ordered_json*> objects;
  for (const auto& object : json.at("distribution")) objects[object.at("@id").get<std::string>()] = &object;
  for (const auto* file : data_files(has_)) {
    const auto object = objects.find(std::string(file->name));
    if (object == objects.end()) {
      problem(name, 0, "does not list the file " + std::string(file->name) + "; export the collection again");
      continue;
    }
    const auto real = present_.find(std::string(file->name));
    if (real == present_.end() || changed_.contains(real->first)) continue;
    if (object->second->at("sha256").get<std::string>() != real->second.sha256 ||
        object->second->at("contentSize").get<std::string>() != std::to_string(real->second.bytes) + " B") {
      problem(name, 0,
              "lists " + std::string(file->name) +
                  " with another size or digest than the file has; export the collection again");
    }
  }
}

void Validator::check_croissant_fields(const ordered_json& json) {
  const std::string_view name = release::kCroissant.name;
  std::set<std::string> objects, fields;
  for (const auto& object : json.at("distribution")) objects.insert(object.at("@id").get<std::string>());
  for (const auto& set : json.at("recordSet")) {
    for (const auto& field : set.at("field")) fields.insert(field.at("@id").get<std::string>());
  }
  for (const auto& set : json.at("recordSet")) {
    for (const auto& field : set.at("field")) {
      const auto id = field.at("@id").get<std::string>();
      const auto source = field.at("source").at("fileObject").at("@id").get<std::string>();
      if (!objects.contains(source)) {
        problem(name, 0,
                "reads the field " + quote(id) + " from " + quote(source) +
                    ", which its distribution does not have; correct it");
      }
      if (!field.contains("references")) continue;
      const auto target = field.at("references").at("field").at("@id").get<std::string>();
      if (!fields.contains(target)) {
        problem(
            name, 0,
            "lets the field " + quote(id) + " refer to " + quote(target) + ", which it does not define; correct it");
      }
    }
  }
}

}  // namespace touchstone::collection::evidence::validation
