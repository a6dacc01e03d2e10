#pragma once

#include "linking/dictionary.hpp"
#include "linking/dictionary_writer.hpp"
#include "linking/phrases.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace touchstone::linking {

/// A dictionary that a test writes by hand.
class SmallDictionary {
 public:
  std::uint32_t entity(const std::string& title, const std::vector<std::uint32_t>& sources, std::uint32_t qid = 0) {
    entities_.push_back({title, qid, sources});
    return static_cast<std::uint32_t>(entities_.size() - 1);
  }

  /// \param meanings  the most frequent first
  void anchor(const std::string& text, const std::vector<Meaning>& meanings, std::uint32_t linked,
              std::uint32_t pages) {
    const auto phrase = phrase_of(text);
    phrases_[phrase.number].meanings = meanings;
    phrases_[phrase.number].linked = linked;
    phrases_[phrase.number].pages = pages;
    for (const auto beginning : phrase.beginnings) phrases_[beginning].continues = true;
  }

  std::filesystem::path write(const std::string& name = "small.dictionary", std::uint32_t pages = 1000) const {
    DictionaryWriter writer;
    for (const auto& entity : entities_) writer.add_entity(entity.title, entity.qid, entity.sources);
    for (const auto& [number, phrase] : phrases_)
      writer.add_phrase(number, phrase.continues, phrase.meanings, phrase.linked, phrase.pages);
    writer.write(folder_ / name, pages, {{"wiki", "tinywiki"}});
    return folder_ / name;
  }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

 private:
  struct Entity {
    std::string title;
    std::uint32_t qid;
    std::vector<std::uint32_t> sources;
  };
  struct PhraseRow {
    std::vector<Meaning> meanings;
    std::uint32_t linked = 0, pages = 0;
    bool continues = false;
  };
  std::vector<Entity> entities_;
  std::map<std::uint64_t, PhraseRow> phrases_;
  testing::TemporaryFolder folder_;
};

}  // namespace touchstone::linking
