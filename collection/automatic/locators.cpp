#include "collection/automatic/locators.hpp"

#include "collection/release/license.hpp"
#include "collection/release/page_address.hpp"
#include "common/error.hpp"
#include "common/json_writer.hpp"
#include "common/unicode.hpp"
#include "formats/json/field_reader.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <simdjson.h>

namespace touchstone::collection::automatic {
namespace {

namespace car = formats::car;

/// The id that MediaWiki gives a heading in HTML 5: white space becomes a line below.
std::string id_of_heading(std::string heading) {
  std::replace(heading.begin(), heading.end(), ' ', '_');
  for (auto at = heading.find('%'); at != std::string::npos; at = heading.find('%', at + 3))
    heading.insert(at + 1, "25");
  return heading;
}

void write_locator(JsonWriter& out, const Locator& locator, std::string_view license) {
  out.begin_object();
  if (!locator.book.empty()) out.field("book", locator.book);
  if (!locator.chapters.empty()) out.field("chapters", locator.chapters);
  out.field("page", locator.page).field("section", locator.section);
  if (!locator.place.empty()) out.field("place", locator.place);
  const auto declared = locator.license.empty() ? std::string(license) : release::named_license(locator.license);
  if (!release::is_unknown(declared)) out.field("license", declared);
  out.end_object();
}

}  // namespace

PageLocators::PageLocators(const car::Page& page, const PageOrigin& origin, std::string_view base_url)
    : origin_(origin) {
  of_page_.book = origin.book;
  of_page_.chapters = origin.chapters;
  of_page_.page = page.name;
  of_page_.license = origin.license;
  if (origin.anchors.empty()) address_ = release::page_address(base_url, page.name, origin.revision);
  sections_.push_back({{}, origin.anchors.empty() ? address_ : origin.anchors.front()});
  read(page.skeleton, 0);
}

std::string PageLocators::place_of(const std::string& heading) {
  if (!origin_.anchors.empty()) {
    const auto number = sections_.size();
    return number < origin_.anchors.size() ? origin_.anchors[number] : origin_.anchors.front();
  }
  if (address_.empty()) return "";
  const auto use = ++uses_[lower_case(heading)];
  return fmt::format("{}#{}{}", address_, id_of_heading(heading), use > 1 ? fmt::format("_{}", use) : "");
}

void PageLocators::read(const std::vector<car::Skeleton>& elements, std::size_t section) {
  for (const auto& [element] : elements) {
    if (const auto* inner = std::get_if<car::Section>(&element)) {
      Section next{sections_[section].headings, place_of(inner->heading)};
      next.headings.push_back(inner->heading);
      sections_.push_back(std::move(next));
      read(inner->children, sections_.size() - 1);
    } else if (const auto* paragraph = std::get_if<car::Paragraph>(&element)) {
      section_of_.emplace(paragraph, section);
    } else if (const auto* item = std::get_if<car::ListItem>(&element)) {
      section_of_.emplace(&item->paragraph, section);
    } else if (const auto* image = std::get_if<car::Image>(&element)) {
      read(image->caption, section);
    }
  }
}

Locator PageLocators::of(const car::Paragraph& paragraph) const {
  const Section& section = sections_.at(section_of_.at(&paragraph));
  Locator locator = of_page_;
  locator.section = section.headings;
  locator.place = section.place;
  return locator;
}

void PassagePlaces::add(Locator locator) {
  if (listed.size() < kMostListed)
    listed.push_back(std::move(locator));
  else
    ++not_listed;
}

std::string locator_line(std::string_view docid, const PassagePlaces& places, std::string_view license) {
  JsonWriter out({.escapes = JsonEscapes::kLineBreaks});
  out.begin_object().field("docid", docid).key("locators").begin_array();
  for (const auto& locator : places.listed) write_locator(out, locator, license);
  out.end_array();
  if (places.not_listed > 0) out.field("not_listed", places.not_listed);
  return out.end_object().take_line();
}

LocatorLine read_locator_line(std::string_view line) {
  LocatorLine read;
  std::string error;
  thread_local simdjson::dom::parser parser;  // keeps its memory for the next line
  simdjson::dom::object object;
  if (!formats::json::parse_object(parser, line, object, error)) throw FormatError(error);
  formats::json::FieldReader fields(object, error);
  read.docid = fields.text("docid");
  for (auto& entry : fields.objects("locators")) {
    Locator locator;
    if (entry.has("book")) locator.book = entry.text("book");
    if (entry.has("chapters")) locator.chapters = entry.texts("chapters");
    locator.page = entry.text("page");
    locator.section = entry.texts("section");
    if (entry.has("place")) locator.place = entry.text("place");
    if (entry.has("license")) locator.license = entry.text("license");
    read.places.add(std::move(locator));
  }
  if (fields.has("not_listed")) read.places.not_listed = fields.number("not_listed");
  if (!error.empty()) throw FormatError(error);
  return read;
}

}  // namespace touchstone::collection::automatic
