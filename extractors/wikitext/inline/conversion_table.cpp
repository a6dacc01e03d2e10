#include "extractors/wikitext/inline/conversion_table.hpp"

namespace touchstone::extractors::wikitext::inlines::internal {

void ConversionTable::define(std::string_view from, std::string_view to) {
  if (from.empty() || given_up_) return;
  const auto [word, is_new] = words_.insert_or_assign(std::string(from), std::string(to));
  if (is_new) ++lengths_[static_cast<unsigned char>(from.front())][from.size()];
}

void ConversionTable::forget(std::string_view from) {
  const auto word = words_.find(from);
  if (word == words_.end()) return;
  auto& lengths = lengths_[static_cast<unsigned char>(from.front())];
  if (--lengths[from.size()] == 0) lengths.erase(from.size());
  words_.erase(word);
}

void ConversionTable::give_up() {
  given_up_ = true;
  words_.clear();
  lengths_ = {};
}

ConversionTable::Match ConversionTable::find(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size() && !empty(); ++at) {
    const auto& lengths = lengths_[static_cast<unsigned char>(text[at])];
    for (auto one = lengths.lower_bound(text.size() - at); one != lengths.end(); ++one) {
      const std::size_t length = one->first;
      looked_at_ += length;
      const auto word = words_.find(text.substr(at, length));
      if (word != words_.end()) {
        if (word->second.size() > bytes_left_) {
          give_up();
          break;
        }
        bytes_left_ -= word->second.size();
        return {at, at + length, word->second};
      }
      if (looked_at_ > kMaxBytesLookedAt) {
        give_up();
        break;
      }
    }
  }
  return {text.size(), text.size(), {}};
}

}  // namespace touchstone::extractors::wikitext::inlines::internal
