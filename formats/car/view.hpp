#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

/// Showing what is in a TREC CAR file.
namespace touchstone::formats::car {

struct ViewOptions {
  bool as_json = false;
  std::uint64_t limit = 0;  ///< records or topics that are shown; 0: all
};

/// Shows pages and outlines as trees of their sections, paragraphs with their text and links, qrels as their topics.
/// Calls `print` with pieces of the text; as JSON, with one object that has file, form, type and the records.
/// Throws as `for_each_record` does, and FormatError at the first bad record.
void view_file(const std::filesystem::path& path, const ViewOptions& options,
               const std::function<void(std::string_view)>& print);

}  // namespace touchstone::formats::car
