#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace touchstone {

/// One sentence about something that the operating system refused, with what to do about it:
/// `failure_text("write", "w/a", ENOSPC)` is "cannot write w/a: No space left on device; free some space and run
/// again".
std::string failure_text(std::string_view doing, const std::filesystem::path& path, const std::error_code& error);
/// \param code  an error number of the system, as `errno` holds it
std::string failure_text(std::string_view doing, const std::filesystem::path& path, int code);

/// The same for an exception of the standard library: of its file system functions or of its threads.
std::string failure_text(const std::system_error& error);

}  // namespace touchstone
