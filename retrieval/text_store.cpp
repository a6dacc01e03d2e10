#include "retrieval/text_store.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace touchstone::retrieval {
namespace {

constexpr std::string_view kTexts = "texts", kEnds = "text-ends";
static_assert(std::endian::native == std::endian::little, "ends of texts are written as they are in memory");

}  // namespace

TextStoreWriter::TextStoreWriter(const std::filesystem::path& folder)
    : texts_(folder / kTexts), ends_(folder / kEnds) {}

void TextStoreWriter::add(std::string_view text, std::string_view title) {
  texts_.write(text);
  texts_.write(title);
  const std::array<std::uint64_t, 2> ends{end_ + text.size(), end_ + text.size() + title.size()};
  end_ = ends[1];
  ends_.write({reinterpret_cast<const char*>(ends.data()), sizeof ends});
}

void TextStoreWriter::finish() {
  texts_.finish();
  ends_.finish();
}

TextStore::TextStore(const std::filesystem::path& folder) : texts_(folder / kTexts), ends_(folder / kEnds) {}

StoredText TextStore::read(std::size_t document) const {
  std::array<std::uint64_t, 3> ends{};  // of the document before, the text, the title
  const auto place = document * 2 * sizeof(std::uint64_t);
  if (document == 0) {
    ends_.read(&ends[1], 2 * sizeof(std::uint64_t), place);
  } else {
    ends_.read(ends.data(), sizeof ends, place - sizeof(std::uint64_t));
  }
  if (ends[0] > ends[1] || ends[1] > ends[2] || ends[2] > texts_.bytes()) texts_.fail("is damaged");
  StoredText stored{std::string(ends[1] - ends[0], '\0'), std::string(ends[2] - ends[1], '\0')};
  texts_.read(stored.text.data(), stored.text.size(), ends[0]);
  texts_.read(stored.title.data(), stored.title.size(), ends[1]);
  return stored;
}

}  // namespace touchstone::retrieval
