#pragma once

#include "common/error.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::automatic::selection {

/// A set of names, sorted.
using NameSet = std::vector<std::string>;

/// Brings a name into the form that is compared. An empty answer: the text is no such name.
using NameForm = std::function<std::string(std::string_view)>;

/// Sorts the names and removes doubles.
std::shared_ptr<const NameSet> make_name_set(std::vector<std::string> names);

/// Whether the set has the name; O(log size).
bool has_name(const NameSet& set, std::string_view name) noexcept;

/// Reads a file with one name a line, plain or gzip. Empty lines do not count; a byte-order mark at the start is
/// skipped. At most 20 million lines of at most 4,096 bytes.
/// \param what  a name, for messages: "title"
/// Throws StorageError or FormatError (file, line).
std::shared_ptr<const NameSet> read_name_set(const std::filesystem::path& path, std::string_view what,
                                             const NameForm& form);

/// "Q42" of "Q42" or "q42"; empty if the text is no Wikidata id of an item.
std::string item_id(std::string_view text);

}  // namespace touchstone::pipeline::automatic::selection
