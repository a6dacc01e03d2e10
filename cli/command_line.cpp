#include "cli/command_line.hpp"

#include "common/edit_distance.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <system_error>

#include <CLI/CLI.hpp>

namespace touchstone::cli {

Option& Option::required(bool value) {
  option_->required(value);
  return *this;
}

Option& Option::type_name(std::string_view name) {
  option_->type_name(std::string(name));
  return *this;
}

Option& Option::expected(int count) {
  option_->expected(count);
  return *this;
}

Option& Option::expected(int least, int most) {
  option_->expected(least, most);
  return *this;
}

Option& Option::take_all() {
  option_->take_all();
  return *this;
}

Option& Option::excludes(Option other) {
  option_->excludes(other.option_);
  return *this;
}

Option& Option::needs(Option other) {
  option_->needs(other.option_);
  return *this;
}

Option& Option::capture_default_str() {
  option_->capture_default_str();
  return *this;
}

Option& Option::range(int low, int high) {
  option_->check(CLI::Range(low, high));
  return *this;
}

Option& Option::range(unsigned low, unsigned high) {
  option_->check(CLI::Range(low, high));
  return *this;
}

Option& Option::range(double low, double high) {
  option_->check(CLI::Range(low, high));
  return *this;
}

Option& Option::positive() {
  option_->check(CLI::PositiveNumber);
  return *this;
}

Option& Option::whole_number() {
  option_->transform([](const std::string& text) -> std::string {
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
  });
  return *this;
}

Option& Option::one_of(const std::vector<std::string>& names, const std::function<bool(const std::string&)>& also) {
  const CLI::Validator member = CLI::IsMember(names);
  option_->check(CLI::Validator(
      [member, names, also](std::string& word) {
        if (also && also(word)) return std::string();
        const std::string message = member(word);
        return message.empty() ? message : message + did_you_mean(word, names);
      },
      member.get_description()));
  return *this;
}

Command Command::add_subcommand(std::string_view name, std::string_view description) {
  return *app_->add_subcommand(std::string(name), std::string(description));
}

template <class Target>
Option Command::add_option(const std::string& names, Target& target, const std::string& description) {
  return Option(*app_->add_option(names, target, description));
}

template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, std::uint32_t&, const std::string&);
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<double>&, const std::string&);

Option Command::on_value(const std::string& names, std::function<void(const std::string&)> set,
                         const std::string& description) {
  return Option(*app_->add_option_function<std::string>(names, std::move(set), description));
}

Option Command::on_values(const std::string& names, std::function<void(const std::vector<std::string>&)> set,
                          const std::string& description) {
  return Option(*app_->add_option_function<std::vector<std::string>>(names, std::move(set), description));
}

Option Command::add_flag(const std::string& names, bool& target, const std::string& description) {
  return Option(*app_->add_flag(names, target, description));
}

Option Command::add_flag(const std::string& names, const std::string& description) {
  return Option(*app_->add_flag(names, description));
}

Option Command::get_option(const std::string& name) {
  return Option(*app_->get_option(name));
}

bool Command::has(const std::string& name) const {
  return app_->count(name) > 0;
}

void Command::callback(std::function<void()> run) {
  app_->callback(std::move(run));
}

void Command::require_subcommand() {
  app_->require_subcommand(1);
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}

void Command::group(const std::string& headline) {
  app_->group(headline);
}

namespace {

/// "FORMAT:{text,json}", as CLI11 names the type of an option with choices, gives text and json.
std::vector<std::string> choices_of(const std::string& type) {
  std::vector<std::string> choices;
  const auto open = type.find(":{"), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos) return choices;
  std::string_view rest = std::string_view(type).substr(open + 2, close - open - 2);
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    choices.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return choices;
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

std::vector<CLI::App*> named_commands(CLI::App* app) {
  return app->get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

}  // namespace

completion::CommandInfo Command::info() const {
  completion::CommandInfo info{app_->get_name(), app_->get_description(), {}, {}, {}};
  for (const auto* option : app_->get_options())
    (option->get_positional() ? info.positionals : info.flags).push_back(flag_info(*option));
  for (const auto& command : commands()) info.commands.push_back(command.info());
  return info;
}

std::optional<Command> Command::find(const std::string& name) const {
  for (auto* command : named_commands(app_)) {
    if (command->get_name() == name) return *command;
  }
  return std::nullopt;
}

std::vector<Command> Command::commands() const {
  std::vector<Command> all;
  for (auto* command : named_commands(app_)) all.emplace_back(*command);
  return all;
}

std::string Command::help() const {
  // App::help() is that of the sub-command which is being run.
  return app_->get_formatter()->make_help(app_, "", CLI::AppFormatMode::Normal);
}

Option add_threads(Command command, int& threads, const std::string& more) {
  return command.add_option("-j,--threads", threads, "Worker threads (default: all cores)" + more)
      .type_name("N")
      .range(1, 1024);
}

}  // namespace touchstone::cli
