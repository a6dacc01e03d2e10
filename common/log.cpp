#include "common/log.hpp"

#include "common/display_text.hpp"
#include "common/json_writer.hpp"
#include "common/secrets.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace touchstone {
namespace {

/// `%*` prints the message with everything escaped that a terminal would obey.
class ShownMessage : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    const auto text = display_lines({message.payload.data(), message.payload.size()});
    out.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<ShownMessage>(); }
};

/// `%*` prints the message as a JSON string, with the same characters as escapes.
class JsonMessage : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& out) override {
    std::string text;
    append_json_string(text, {message.payload.data(), message.payload.size()}, JsonEscapes::kDisplay);
    out.append(text);
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<JsonMessage>(); }
};

spdlog::level::level_enum level_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return spdlog::level::debug;
    case LogLevel::kInfo:
      return spdlog::level::info;
    case LogLevel::kWarn:
      return spdlog::level::warn;
    case LogLevel::kError:
      return spdlog::level::err;
  }
  return spdlog::level::info;
}

using Sink = spdlog::sinks::stderr_color_sink_mt;

const std::shared_ptr<Sink>& standard_error() {
  static const auto instance = std::make_shared<Sink>();
  return instance;
}

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("touchstone", standard_error());
    auto formatter = std::make_unique<spdlog::pattern_formatter>();
    formatter->add_flag<ShownMessage>('*').set_pattern("%H:%M:%S %^%l%$ %*");
    made->set_formatter(std::move(formatter));
    return made;
  }();
  return *instance;
}

}  // namespace

void configure_log(LogLevel level, LogFormat format, LogColour colour) {
  standard_error()->set_color_mode(colour == LogColour::kAlways ? spdlog::color_mode::always
                                                                : spdlog::color_mode::never);
  logger().set_level(level_of(level));
  logger().flush_on(spdlog::level::info);
  if (format != LogFormat::kJson) return;
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<JsonMessage>('*').set_pattern(R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l","message":%*})");
  logger().set_formatter(std::move(formatter));
}

void log_line(LogLevel level, std::string_view message) {
  if (!has_secrets()) return logger().log(level_of(level), message);
  std::string shown(message);
  hide_secrets(shown);
  logger().log(level_of(level), shown);
}

}  // namespace touchstone
