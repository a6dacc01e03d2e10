#pragma once

#include "collection/evidence/collection_lines.hpp"
#include "common/error.hpp"
#include "common/files.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace touchstone::pipeline::difference::internal {

[[noreturn]] inline void fail_at(const std::filesystem::path& file, std::uint64_t line, const std::string& why) {
  throw FormatError(fmt::format("{}:{}: {}; touchstone validate lists all that is wrong with the collection",
                                file.string(), line, why));
}

/// Calls `use` for each record of a file that `read` reads. Throws FormatError with file and line.
template <class Record, class Use>
void for_each_record(const std::filesystem::path& file, collection::evidence::CollectionLineReader& reader,
                     Result<Record, std::string> (collection::evidence::CollectionLineReader::*read)(std::string_view),
                     const Use& use) {
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    auto record = (reader.*read)(line);
    if (!record) fail_at(file, number, record.error());
    use(*record);
    return true;
  });
}

}  // namespace touchstone::pipeline::difference::internal
