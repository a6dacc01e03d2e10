#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Lines of the files that shards hand to a merge. Fields may hold any bytes and come back as they were.
namespace touchstone::pipeline::flow {

/// The fields with tabs between them and a line end behind them. Tabs, line ends and backslashes in fields are escaped
/// by a backslash. \pre there is at least one field
std::string part_line(std::span<const std::string_view> fields);

/// The fields of a line that `part_line` wrote, without its line end.
std::vector<std::string> read_part_line(std::string_view line);

}  // namespace touchstone::pipeline::flow
