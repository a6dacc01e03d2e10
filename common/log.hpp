#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace touchstone {

enum class LogLevel { kDebug, kInfo, kWarn, kError };
enum class LogFormat { kText, kJson };
enum class LogColour { kNever, kAlways };

/// Drops everything below `level` and sends text lines or JSON lines to standard error. `colour` is for the level in
/// text lines. Call once, at the start.
void configure_log(LogLevel level, LogFormat format, LogColour colour = LogColour::kNever);

/// Writes one line to standard error, without the secrets of the process (secrets.hpp). Thread-safe.
void log_line(LogLevel level, std::string_view message);

template <class... Arguments>
void log_info(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  log_line(LogLevel::kInfo, fmt::format(format, std::forward<Arguments>(arguments)...));
}
template <class... Arguments>
void log_warn(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  log_line(LogLevel::kWarn, fmt::format(format, std::forward<Arguments>(arguments)...));
}
template <class... Arguments>
void log_debug(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  log_line(LogLevel::kDebug, fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace touchstone
