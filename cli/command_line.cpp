#include "cli/command_line.hpp"

#include "common/edit_distance.hpp"
#include "common/error.hpp"
#include "formats/fields/columns.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <system_error>

namespace touchstone::cli {
namespace {

/// "FORMAT:{text,json}", as CLI11 names the type of an option with choices, gives text and json.
std::vector<std::string> choices_of(const std::string& type) {
  const auto open = type.find(":{"), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close == open + 2) return {};
  const auto choices = formats::fields::split_at(std::string_view(type).substr(open + 2, close - open - 2), ',');
  return {choices.begin(), choices.end()};
}

completion::FlagInfo flag_info(const CLI::Option& option) {
  completion::FlagInfo flag;
  flag.description = option.get_description();
  const std::string type = option.get_type_name();
  if (option.get_positional()) {
    flag.names = {option.get_name(true)};
    flag.value = flag.names.front();
  } else {
    for (const auto& name : option.get_snames()) flag.names.push_back("-" + name);
    for (const auto& name : option.get_lnames()) flag.names.push_back("--" + name);
    if (option.get_expected_max() > 0 && option.get_type_size() != 0) flag.value = type.substr(0, type.find(':'));
  }
  flag.choices = choices_of(type);
  return flag;
}

bool is_named(const CLI::App* command) {
  return !command->get_name().empty();
}

constexpr std::size_t kColumn = 26, kWidth = 80;

/// `left`, followed by `text` in a second column, wrapped at blanks.
std::string two_columns(const std::string& left, const std::string& text) {
  std::string out = "  " + left;
  out += out.size() + 2 > kColumn ? "\n" + std::string(kColumn, ' ') : std::string(kColumn - out.size(), ' ');
  std::size_t at = kColumn;
  std::size_t begin = 0;
  while (begin < text.size()) {
    auto end = text.find(' ', begin);
    if (end == std::string::npos) end = text.size();
    const std::size_t length = end - begin;
    if (at > kColumn && at + 1 + length > kWidth) {
      out += "\n" + std::string(kColumn, ' ');
      at = kColumn;
    }
    if (at > kColumn) {
      out += ' ';
      ++at;
    }
    out.append(text, begin, length);
    at += length;
    begin = end + 1;
  }
  return out + "\n";
}

/// The name of an option's value without the check that CLI11 appends ("N:INT in [1 - 1024]").
std::string value_name(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  return name.substr(0, name.find(':'));
}

}  // namespace

std::string whole_number(const std::string& text) {
  std::string digits;
  std::copy_if(text.begin(), text.end(), std::back_inserter(digits), [](char c) { return c != '_'; });
  if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos) return digits;
  double value = 0;
  const char* end = digits.data() + digits.size();
  const auto [rest, error] = std::from_chars(digits.data(), end, value);
  constexpr double kMostExact = 9007199254740992;  // 2^53; beyond that, doubles leave out whole numbers
  if (error != std::errc() || rest != end || value != std::floor(value) || value < 0 || value > kMostExact)
    throw CLI::ValidationError(text + " is not a whole number such as 1000000 or 1e6");
  return std::to_string(static_cast<std::uint64_t>(value));
}

CLI::Validator one_of(const std::vector<std::string>& names, const std::function<bool(const std::string&)>& also) {
  const CLI::Validator member = CLI::IsMember(names);
  return CLI::Validator(
      [member, names, also](std::string& word) {
        if (also && also(word)) return std::string();
        const std::string message = member(word);
        return message.empty() ? message : message + did_you_mean(word, names);
      },
      member.get_description());
}

double share_of(std::string_view flag, std::string_view text) {
  constexpr double kPercent = 100;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (rest == "%" || rest == " %") value /= kPercent;
  if (error != std::errc{} || !(rest.empty() || rest == "%" || rest == " %") || !(value >= 0 && value <= 1))
    throw ConfigError(std::string(flag) + " is \"" + std::string(text) + "\", which is no share; write 10% or 0.1");
  return value;
}

CLI::Option* add_threads(CLI::App* command, int& threads, const std::string& more) {
  return command->add_option("-j,--threads", threads, "Worker threads (default: all cores)" + more)
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
}

std::vector<CLI::App*> sub_commands(CLI::App* command) {
  return command->get_subcommands(is_named);
}

CLI::App* find_sub_command(CLI::App* command, const std::string& name) {
  const auto all = sub_commands(command);
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto* one) { return one->get_name() == name; });
  return found == all.end() ? nullptr : *found;
}

completion::CommandInfo command_info(CLI::App* command) {
  completion::CommandInfo info{command->get_name(), command->get_description(), {}, {}, {}};
  for (const auto* option : command->get_options())
    (option->get_positional() ? info.positionals : info.flags).push_back(flag_info(*option));
  for (auto* part : sub_commands(command)) info.commands.push_back(command_info(part));
  return info;
}

HelpFormatter::HelpFormatter() {
  column_width(kColumn);
}

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string full = name.empty() ? app->get_name() : name;
  for (const CLI::App* parent = app->get_parent(); parent != nullptr && name.find(' ') == std::string::npos;
       parent = parent->get_parent()) {
    full = parent->get_name() + " " + full;
  }
  std::string usage = "Usage: " + full;
  if (!app->get_subcommands(is_named).empty()) usage += " COMMAND";
  usage += " [OPTIONS]";
  for (const auto* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
    const std::string word = option->get_name(true);
    usage += option->get_required() ? " " + word : " [" + word + "]";
    if (option->get_items_expected_max() > 1) usage += "...";
  }
  return usage + "\n";
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  std::string left = is_positional ? option->get_name(true) : option->get_name(false, true);
  for (std::size_t at = 0; (at = left.find(',', at)) != std::string::npos; at += 2) left.replace(at, 1, ", ");
  if (!is_positional && option->get_expected_max() > 0 && option->get_type_size() != 0)
    left += "=" + value_name(*option);
  std::string text = option->get_description();
  if (option->get_required() && !is_positional) text += " (required)";
  return two_columns(left, text);
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const {
  std::string text = CLI::Formatter::make_help(app, name, mode);
  // CLI11 prints the description first; readers expect the usage line there.
  const std::string description = make_description(app);
  if (!description.empty() && text.starts_with(description)) {
    const auto usage_end = text.find('\n', description.size());
    text =
        text.substr(description.size(), usage_end + 1 - description.size()) + description + text.substr(usage_end + 1);
  }
  return text;
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return two_columns(command->get_name(), command->get_description());
}

}  // namespace touchstone::cli
