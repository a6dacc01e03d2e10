#include "extractors/wikitext/blocks/image_recorder.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace touchstone::extractors::wikitext::blocks::internal {
using tokens::FoundLink;

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
