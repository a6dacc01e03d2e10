#include "cli/help_formatter.hpp"

namespace touchstone::cli {
namespace {

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
  if (!app->get_subcommands([](const CLI::App* c) { return !c->get_name().empty(); }).empty()) usage += " COMMAND";
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
