#include "retrieval/collection_source.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/json/field_reader.hpp"
#include "formats/trec/topics.hpp"

#include <simdjson.h>

namespace touchstone::retrieval {
namespace {

constexpr std::uint64_t kMaxManifestBytes = std::uint64_t{64} << 20;

CollectionFacts read_manifest(const std::filesystem::path& path) {
  const auto text = read_file(path, kMaxManifestBytes);
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  std::string error;
  CollectionFacts facts;
  if (formats::json::parse_object(parser, text, object, error)) {
    formats::json::FieldReader fields(object, error);
    facts.is_automatic = fields.has("kind") && fields.text("kind") == "automatic";
    if (fields.has("collection")) {
      auto about = fields.object("collection");
      if (about.has("language")) facts.language = about.text_or_null("language");
    }
  }
  if (!error.empty())
    throw FormatError(path.string() + " " + error + "; take the directory that the program wrote, or remove the file");
  return facts;
}

}  // namespace

namespace internal {

std::vector<Topic> read_topic_file(const std::filesystem::path& path) {
  std::vector<Topic> topics;
  for (auto& topic : formats::trec::read_topics(path)) topics.push_back({std::move(topic.id), std::move(topic.text)});
  if (topics.empty())
    throw FormatError(
        path.string() +
        " has no topic; systems need queries to answer, so take a collection with topics or name a file with --topics");
  return topics;
}

}  // namespace internal

std::unique_ptr<CollectionSource> open_collection(const std::filesystem::path& directory,
                                                  const SourceOptions& options) {
  if (!std::filesystem::is_directory(directory))
    throw ConfigError(directory.string() + " is not a directory; name the directory of a collection");
  auto facts = options.facts.value_or(CollectionFacts());
  if (!options.facts && std::filesystem::exists(directory / "manifest.json"))
    facts = read_manifest(directory / "manifest.json");
  if (facts.is_automatic) return internal::open_automatic(directory, options, facts.language);
  if (options.unit == Unit::kEntities)
    throw ConfigError(
        directory.string() +
        " is not an automatic collection, and only these have entities to rank; leave out --rank entities");
  return internal::open_lines(directory, options, facts.language);
}

}  // namespace touchstone::retrieval
