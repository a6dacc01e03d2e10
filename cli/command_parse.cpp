#include "cli/command.hpp"
#include "common/error.hpp"
#include "common/json_tree.hpp"
#include "common/log.hpp"
#include "extractors/document_json.hpp"
#include "extractors/dump/dump_reader.hpp"
#include "extractors/page_loader.hpp"
#include "extractors/site/moment.hpp"
#include "extractors/site/site_info.hpp"
#include "extractors/wikitext/wikitext_parser.hpp"

#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::cli {
namespace {

using extractors::site::SiteInfo;
using extractors::wikitext::TemplateMode;
using extractors::wikitext::TemplateRules;

using extractors::wikitext::WikitextOptions;

/// Template pages, read from JSON lines {title, text}.
class PagesFile final : public extractors::PageLoader {
 public:
  PagesFile(const SiteInfo& site, const std::string& name) {
    std::ifstream in(name, std::ios::binary);
    if (!in) throw Error(name + ": cannot be read; give a file of JSON lines {\"title\", \"text\"}");
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
      const auto page = parse_json_or_discard(line);
      const auto has_text = [&](const char* field) { return page.contains(field) && page[field].is_string(); };
      if (!page.is_object() || !has_text("title") || !has_text("text")) {
        throw FormatError(name + " line " + std::to_string(number) +
                          ": expected a JSON object with \"title\" and \"text\"");
      }
      const auto title = site.parse_title(page["title"].get_ref<const std::string&>());
      if (title) pages_[title->title] = page["text"].get<std::string>();
    }
  }

  std::optional<std::string> load(const Title& title) const override {
    const auto found = pages_.find(title);
    if (found == pages_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::map<Title, std::string> pages_;
};

using extractors::wikitext::WikimediaRules;

struct ParseFlags {
  bool batch = false;
  bool count_templates = false;
  std::string title = "Parser test";
  std::string language = "en";
  std::string templates = "rules";
  std::string wikimedia_rules = "auto";
  std::string pages;
  std::string siteinfo;
  std::string now;
};

/// The wiki of the text: that of a dump, or a default wiki with the names of its language.
SiteInfo read_site(const ParseFlags& flags) {
  if (flags.siteinfo.empty()) return SiteInfo::make_default(flags.language);
  extractors::dump::DumpReader dump(extractors::dump::open_byte_source(flags.siteinfo));
  return dump.site_info();
}

/// Parses the title. If it is invalid, the text is still parsed under the title as given.
Title read_title(const SiteInfo& site, const std::string& text) {
  const auto parsed = site.parse_title(text);
  return parsed ? parsed->title : Title{0, text};
}

/// What the bounds of the reader cut must not go unnoticed.
void tell_of_limits(const extractors::Document& document, std::string_view page) {
  const auto& counters = document.counters;
  if (counters.limits_hit == 0) return;
  std::string text =
      fmt::format("parse: page \"{}\" exceeds the bounds of the reader in {} places", page, counters.limits_hit);
  if (counters.cells_left_out > 0) {
    text += fmt::format("; {} cells of its tables are left out, because a page may have {}", counters.cells_left_out,
                        extractors::wikitext::WikitextLimits{}.max_table_cells);
  }
  log_line(LogLevel::kWarn, text);
}

void parse_lines(const SiteInfo& site, const TemplateRules& rules, const WikitextOptions& options,
                 const std::string& default_title) {
  std::string line;
  std::size_t number = 0;
  while (std::getline(std::cin, line)) {
    ++number;
    if (line.empty()) continue;
    const auto input = parse_json_or_discard(line);
    if (!input.is_object() || !input.contains("wikitext") || !input["wikitext"].is_string()) {
      throw FormatError("standard input, line " + std::to_string(number) +
                        ": expected a JSON object with a \"wikitext\" string");
    }
    const Title title = read_title(site, input.value("title", default_title));
    const auto document = extractors::wikitext::parse_wikitext(
        site, rules, title, input["wikitext"].get_ref<const std::string&>(), options);
    const std::string name = input.value("name", std::string());
    std::cout << extractors::document_to_json(document, site, name) << '\n';
    tell_of_limits(document, name.empty() ? site.prefixed(title) : name);
  }
}

void run(const ParseFlags& flags) {
  const SiteInfo site = read_site(flags);
  const auto wikimedia = flags.wikimedia_rules == "on"    ? WikimediaRules::kOn
                         : flags.wikimedia_rules == "off" ? WikimediaRules::kOff
                                                          : WikimediaRules::kAuto;
  const TemplateRules rules = TemplateRules::built_in(site.language, scope_of(wikimedia, site));
  WikitextOptions options;
  if (!flags.now.empty()) {
    options.now = extractors::site::read_fixed_moment(flags.now);
    if (!options.now)
      throw ConfigError("--now " + flags.now + ": expected a date such as 2026-05-31 or 2026-05-31T12:00:00");
  }
  if (flags.templates == "drop") options.templates = TemplateMode::kDrop;
  std::unique_ptr<PagesFile> pages;
  if (flags.templates == "expand") {
    if (flags.pages.empty())
      throw ConfigError("--templates expand needs the pages to include: give them with --pages FILE");
    pages = std::make_unique<PagesFile>(site, flags.pages);
    options.templates = TemplateMode::kExpand;
    options.loader = pages.get();
  }
  options.collect_text = true;
  options.count_templates = flags.count_templates;
  std::ios::sync_with_stdio(false);
  if (flags.batch) {
    parse_lines(site, rules, options, flags.title);
    return;
  }
  const std::string wikitext{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  const Title title = read_title(site, flags.title);
  const auto document = extractors::wikitext::parse_wikitext(site, rules, title, wikitext, options);
  std::cout << extractors::document_to_json(document, site) << '\n';
  tell_of_limits(document, site.prefixed(title));
}

}  // namespace

void add_parse(CLI::App* app, Context&) {
  auto flags = std::make_shared<ParseFlags>();
  auto* command =
      app->add_subcommand("parse", "Read wikitext on standard input and print the text that readers see, as JSON");
  command->add_flag("--batch", flags->batch,
                    "Read JSON lines {name, title, wikitext}; print one JSON object for each line");
  command->add_option("--title", flags->title, "Title of the page")->capture_default_str();
  auto* language = command->add_option("--lang", flags->language, "Language code of the wiki")->capture_default_str();
  command->add_option("--siteinfo", flags->siteinfo, "Use the namespaces and the language of this XML dump")
      ->excludes(language);
  command
      ->add_option("--templates", flags->templates, "Render templates by rules, drop them, or expand them from --pages")
      ->check(one_of({"rules", "drop", "expand"}))
      ->capture_default_str();
  command
      ->add_option("--wikimedia-rules", flags->wikimedia_rules,
                   "Rules of templates that only Wikipedia and its sister projects have: on, off, or auto: on unless "
                   "--siteinfo is of another wiki")
      ->check(one_of({"auto", "on", "off"}))
      ->capture_default_str();
  command->add_option("--pages", flags->pages,
                      "File of JSON lines {title, text}: the template pages for --templates expand");
  command->add_option("--now", flags->now, "Current date for ages and {{#time:}}; without it they are not shown");
  command->add_flag("--count-templates", flags->count_templates,
                    "Count the calls of each template: rendered, dropped, aside (boxes, notes)");
  add_footer(command);
  command->callback([flags] { run(*flags); });
}

}  // namespace touchstone::cli
