#include "extractors/html/page_builder.hpp"

#include "common/ascii.hpp"
#include "common/unicode.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace touchstone::extractors::html {
namespace {

bool is_control_character(char32_t c) {
  return c < 0x20 || c == 0x7F;
}

constexpr std::size_t kMaxCells = 200'000;
constexpr std::size_t kMaxColumns = 1000;

/// Whether the title in the head of a page is a heading, with the name of the site behind it: "Fuel - Kilns".
bool names(std::string_view head_title, std::string_view heading) {
  if (heading.empty() || !head_title.starts_with(heading)) return false;
  const auto rest = head_title.substr(heading.size());
  return rest.empty() || (rest.size() > 2 && rest[0] == ' ' && !is_ascii_letter(rest[1]));
}

}  // namespace

void InlineText::add(char32_t code_point) {
  append_utf8(content_.text, code_point);
  ++length_;
}

void InlineText::append(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (is_unicode_space(c) || is_control_character(c)) {
      blank_ = true;
      continue;
    }
    if (c == 0xAD) continue;  // a soft hyphen is not shown
    if (blank_ && length_ > 0) add(' ');
    blank_ = false;
    add(c);
  }
}

void InlineText::append_as_written(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c == '\n' || c == '\t' || !is_control_character(c)) add(c == '\t' ? U' ' : c);
  }
}

void InlineText::link(std::uint32_t begin, Link target) {
  target.begin = std::min(begin, length_);
  target.end = length_;
  content_.links.push_back(std::move(target));
}

RichText InlineText::take() {
  auto& text = content_.text;
  const auto end = text.find_last_not_of("\n ");
  text.resize(end == std::string::npos ? 0 : end + 1);
  const auto length = static_cast<std::uint32_t>(count_code_points(text));
  for (auto& link : content_.links) {
    link.begin = std::min(link.begin, length);
    link.end = std::min(link.end, length);
  }
  std::stable_sort(content_.links.begin(), content_.links.end(),
                   [](const Link& a, const Link& b) { return a.begin < b.begin; });
  length_ = 0;
  blank_ = false;
  return std::exchange(content_, {});
}

void PageBuilder::flush(BlockKind kind, std::string_view list_marker) {
  auto content = text_.take();
  if (content.text.empty()) {
    add_other_links(content);
    return;
  }
  Block block;
  block.kind = kind;
  block.section = section();
  block.list_marker = list_marker;
  block.content = std::move(content);
  document_.blocks.push_back(std::move(block));
}

void PageBuilder::open_section(int level, RichText heading, std::string anchor) {
  Section section;
  section.level = static_cast<std::uint8_t>(std::clamp(level, 1, 6));
  section.parent = enclosing_section(document_.sections, section.level);
  section.heading = std::move(heading);
  section.anchor = std::move(anchor);
  document_.sections.push_back(std::move(section));
}

void PageBuilder::add_table(Table table) {
  table.section = section();
  table.block = static_cast<std::uint32_t>(document_.blocks.size());
  document_.tables.push_back(std::move(table));
}

void PageBuilder::add_image(std::string_view source, RichText caption) {
  Image image;
  image.section = section();
  image.block = static_cast<std::uint32_t>(document_.blocks.size());
  if (!source.starts_with("data:")) {
    source = source.substr(0, source.find_first_of("?#"));
    const auto slash = source.rfind('/');
    image.file = slash == std::string_view::npos ? source : source.substr(slash + 1);
  }
  add_other_links(caption);
  image.caption = std::move(caption);
  document_.images.push_back(std::move(image));
}

void PageBuilder::add_other_links(const RichText& content) {
  for (auto link : content.links) {
    link.begin = link.end = 0;
    document_.other_links.push_back(std::move(link));
  }
}

void TableBuilder::begin_row() {
  ++rows_;
}

void TableBuilder::add_cell(Cell cell) {
  if (rows_ == 0) rows_ = 1;
  cells_.push_back({rows_ - 1, std::move(cell)});
}

Table TableBuilder::take(std::uint64_t& left_out) && {
  Table table;
  auto& grid = table.cells;
  std::vector<std::vector<bool>> taken(rows_);
  grid.resize(rows_);
  std::size_t held = 0, columns = 0;
  for (auto& [row, cell] : cells_) {
    std::size_t column = 0;
    while (column < taken[row].size() && taken[row][column]) ++column;
    const auto down = std::clamp<std::size_t>(cell.row_span, 1, rows_ - row);
    const auto across = std::clamp<std::size_t>(cell.column_span, 1, kMaxColumns);
    if (column + across > kMaxColumns || held + down * across > kMaxCells) {
      ++left_out;
      continue;
    }
    held += down * across;
    columns = std::max(columns, column + across);
    cell.row_span = static_cast<std::uint32_t>(down);
    cell.column_span = static_cast<std::uint32_t>(across);
    for (std::size_t r = row; r < row + down; ++r) {
      if (grid[r].size() < column + across) {
        Cell padding;
        padding.missing = true;
        grid[r].resize(column + across, padding);
        taken[r].resize(column + across, false);
      }
      for (std::size_t c = column; c < column + across; ++c) {
        if (taken[r][c]) continue;
        taken[r][c] = true;
        grid[r][c] = cell;
        grid[r][c].repeated = r != row || c != column;
      }
    }
  }
  Cell padding;
  padding.missing = true;
  if (rows_ * columns > kMaxCells * 4) {
    left_out += cells_.size();
    table.cells.clear();
    return table;
  }
  for (auto& row : grid) row.resize(columns, padding);
  return table;
}

std::string take_title(Document& document, std::string_view head_title) {
  auto& sections = document.sections;
  if (sections.size() < 2) return {};
  const auto level = sections[1].level;
  const bool above_all =
      std::all_of(sections.begin() + 2, sections.end(), [&](const Section& section) { return section.level > level; });
  const bool is_first = head_title.empty() ? level == 1 : names(head_title, sections[1].heading.text);
  if (!above_all && !is_first) return {};
  auto title = std::move(sections[1].heading);
  sections[0].anchor = std::move(sections[1].anchor);
  for (auto& link : title.links) {
    link.begin = link.end = 0;
    document.other_links.push_back(std::move(link));
  }
  sections.erase(sections.begin() + 1);
  const auto moved = [](std::uint32_t& section) { section -= section > 0 ? 1U : 0U; };
  for (auto& section : sections) moved(section.parent);
  for (auto& block : document.blocks) moved(block.section);
  for (auto& table : document.tables) moved(table.section);
  for (auto& image : document.images) moved(image.section);
  return std::move(title.text);
}

}  // namespace touchstone::extractors::html
