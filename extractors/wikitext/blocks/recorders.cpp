#include "extractors/wikitext/blocks/recorders.hpp"

#include "extractors/scan/text_scan.hpp"

#include <algorithm>
#include <utility>

namespace touchstone::extractors::wikitext::blocks::internal {
using namespace tokens;
using scan::trim;
namespace {

/// An item holds the texts of all items below it; deep lists of much text end here.
constexpr std::size_t kMaxCopiedBytes = std::size_t{64} << 20;

bool makes_cell(Tag tag) noexcept {
  return is_cell(tag) || tag == Tag::kCaption;
}

}  // namespace

void FlowRecorder::open(Tag tag, std::uint32_t section) {
  end_bare_paragraph();
  if (!is_table_part(tag)) text_.space();  // text between the cells of a table joins that in front of it
  cells_ += makes_cell(tag);
  lists_ += is_list(tag);
  std::size_t item = kNone;
  if (is_list_item(tag) && cells_ == 0) {
    item = flow_.items.size();
    ListItem& added = flow_.items.emplace_back();
    added.section = section;
    added.depth = static_cast<std::uint32_t>(lists_);
    added.tag = tag == Tag::kLi ? "li" : tag == Tag::kDt ? "dt" : "dd";
    for (std::size_t i = open_.size(); i-- > 0 && added.list.empty();) {
      if (is_list(open_[i].tag)) added.list = open_[i].tag == Tag::kUl ? "ul" : open_[i].tag == Tag::kOl ? "ol" : "dl";
    }
  }
  open_.push_back({tag, item, text_.text().size()});
}

void FlowRecorder::close(Tag tag) {
  end_bare_paragraph();
  if (!is_table_part(tag) || tag == Tag::kTable) text_.space();
  const Open element = open_.back();
  open_.pop_back();
  cells_ -= makes_cell(tag);
  lists_ -= is_list(tag);
  if (element.item != kNone) {
    flow_.items[element.item].text = text_from(element.begin);
  } else if (tag == Tag::kParagraph && cells_ == 0) {
    const std::string_view text = text_from(element.begin);
    if (!text.empty()) flow_.paragraphs.emplace_back(text);
  }
}

void FlowRecorder::end_bare_paragraph() {
  if (bare_begin_ == kNone) return;
  const std::string_view text = text_from(bare_begin_);
  if (!text.empty()) flow_.paragraphs.emplace_back(text);
  bare_begin_ = kNone;
  text_.space();
}

TextBuilder& FlowRecorder::text() {
  // Text right in the page or in a quotation gets a paragraph of its own.
  if (bare_begin_ == kNone && (open_.empty() || open_.back().tag == Tag::kBlockquote))
    bare_begin_ = text_.text().size();
  return text_;
}

std::string_view FlowRecorder::text_from(std::size_t begin) {
  const std::string_view text = trim(text_.text().substr(begin));
  copied_ += text.size();
  return copied_ > kMaxCopiedBytes ? std::string_view() : text;
}

void ImageRecorder::enter(std::size_t number) {
  if (depth_ == open_.size()) open_.emplace_back();
  open_[depth_++].number = number;
}

void ImageRecorder::open(Image image) {
  enter(images_.size());
  images_.push_back(std::move(image));
}

void ImageRecorder::close() {
  if (depth_ == 0) return;
  end_link();
  Open& image = open_[--depth_];
  RichText caption = image.caption.take(image.links);
  image.links.clear();
  if (image.number != kNone) images_[image.number].caption = std::move(caption);
}

void ImageRecorder::close_all() {
  while (depth_ > 0) close();
}

void ImageRecorder::begin_link(const FoundLink& link) {
  end_link();
  Open& image = open_[depth_ - 1];
  image.links.push_back(link);  // a copy: the text around the image takes the link, too
  image.caption.begin_link();
}

void ImageRecorder::end_link() {
  Open& image = open_[depth_ - 1];
  if (image.caption.in_link()) image.caption.end_link(static_cast<std::uint32_t>(image.links.size() - 1));
}

void ImageRecorder::forget_from(std::size_t first) {
  images_.resize(std::min(first, images_.size()));
  for (std::size_t i = 0; i < depth_; ++i) {
    if (open_[i].number >= first) open_[i].number = kNone;
  }
}

}  // namespace touchstone::extractors::wikitext::blocks::internal
