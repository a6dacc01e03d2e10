#include "extractors/textbook/book_units.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace touchstone::extractors::textbook {
namespace {

constexpr std::size_t kMostParts = 16;  // within each other, so that no page is nested too deeply for its readers

/// The parts of the book that a page belongs to, with the one that it opens.
std::vector<std::string> parts_of(const BookPage& page) {
  return with_part(page.chapters, page.opens);
}

/// Makes names of places within a file names of places within the book.
void add_file(Document& document, const std::string& file) {
  for (auto& section : document.sections) {
    section.anchor = section.anchor.empty() ? file : file + "#" + section.anchor;
  }
}

}  // namespace

std::vector<std::string> with_part(std::vector<std::string> parts, const std::string& part) {
  if (!part.empty() && parts.size() < kMostParts) parts.push_back(part);
  return parts;
}

std::vector<Unit> units_of(const Book& book, BookUnit unit, const std::string& title) {
  std::vector<Unit> units;
  std::map<std::vector<std::string>, std::size_t> by_parts;
  for (std::size_t i = 0; i < book.pages.size(); ++i) {
    auto parts = parts_of(book.pages[i]);
    if (unit == BookUnit::kModule || (unit == BookUnit::kChapter && parts.empty())) {
      units.push_back({"", book.pages[i].chapters, {i}});
      continue;
    }
    if (unit == BookUnit::kBook) parts.clear();
    const auto [at, added] = by_parts.emplace(parts, units.size());
    if (added) units.push_back({parts.empty() ? title : parts.back(), std::move(parts), {}});
    units[at->second].pages.push_back(i);
  }
  return units;
}

void UnitWriter::add(const BookPage& page, const std::string& title, Document document) {
  add_file(document, page.file);
  const auto anchor = document.sections.front().anchor;
  const bool is_first = whole_.sections.empty();
  if (is_first) {
    whole_.sections.resize(1);
    whole_.sections.front().anchor = anchor;
  }
  if (unit_.title.empty()) return append(std::move(document));
  auto parts = parts_of(page);
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(std::min(parts.size(), unit_.parts.size())));
  const auto same = static_cast<std::size_t>(
      std::mismatch(open_.begin(), open_.end(), parts.begin(), parts.end()).second - parts.begin());
  for (auto level = same; level < parts.size(); ++level) open_section(level + 1, parts[level], anchor);
  const bool begins_part = !page.opens.empty() && (parts.empty() ? is_first : same < parts.size());
  if (!begins_part) open_section(parts.size() + 1, title, anchor);
  open_ = std::move(parts);
  append(std::move(document));
}

void UnitWriter::open_section(std::size_t level, const std::string& heading, const std::string& anchor) {
  Section section;
  section.level = static_cast<std::uint8_t>(level);
  section.parent = enclosing_section(whole_.sections, section.level);
  section.heading.text = heading;
  section.anchor = anchor;
  whole_.sections.push_back(std::move(section));
}

/// Puts a document behind what is there: its lead into the last section, its sections below that.
void UnitWriter::append(Document document) {
  const auto base = static_cast<std::uint32_t>(whole_.sections.size() - 1);
  const auto level = whole_.sections.back().level;
  const auto blocks = static_cast<std::uint32_t>(whole_.blocks.size());
  for (auto section = document.sections.begin() + 1; section != document.sections.end(); ++section) {
    section->level = static_cast<std::uint8_t>(section->level + level);
    section->parent += base;
    whole_.sections.push_back(std::move(*section));
  }
  for (auto& block : document.blocks) block.section += base;
  for (auto& table : document.tables) {
    table.section += base;
    table.block += blocks;
  }
  for (auto& image : document.images) {
    image.section += base;
    image.block += blocks;
  }
  const auto move_all = [](auto& from, auto& to) { std::move(from.begin(), from.end(), std::back_inserter(to)); };
  move_all(document.blocks, whole_.blocks);
  move_all(document.tables, whole_.tables);
  move_all(document.images, whole_.images);
  move_all(document.other_links, whole_.other_links);
  whole_.counters.limits_hit += document.counters.limits_hit;
  whole_.counters.cells_left_out += document.counters.cells_left_out;
}

}  // namespace touchstone::extractors::textbook
