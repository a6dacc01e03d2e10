#include "cli/help_formatter.hpp"

namespace touchstone::cli {
namespace {

constexpr std::size_t kColumn = 26, kWidth = 80;

/// `left`, and `text` in a column of its own, wrapped at blanks.
std::string two_columns(std::string left, const std::string& text) {
  std::string out = "  " + left;
  if (out.size() + 2 > kColumn) out += "\n" + std::string(kColumn, ' ');
  else out += std::string(kColumn - out.size(), ' ');
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

}  // namespace

HelpFormatter::HelpFormatter() { column_width(kColumn); }

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
  std::string full = name.empty() ? app->get_name() : name;
  for (const CLI::App* parent = app->get_parent(); parent != nullptr && name.find(' ') == std::string::npos; parent = parent->get_parent()) {
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
  if (!is_positional && option->get_expected_max() > 0 && option->get_type_size() != 0) left += "=" + option->get_type_name();
  std::string text = option->get_description();
  if (option->get_required() && !is_positional) text += " (needed)";
  return two_columns(left, text);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const { return two_columns(command->get_name(), command->get_description()); }

}  // namespace touchstone::cli
