#include "retrieval/text_store.hpp"

#include "common/error.hpp"
#include "common/system_failure.hpp"

#include <array>
#include <bit>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace touchstone::retrieval {
namespace {

constexpr std::string_view kTexts = "texts", kEnds = "text-ends";
static_assert(std::endian::native == std::endian::little, "ends of texts are written as they are in memory");

Descriptor open_stored(const std::filesystem::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open())
    throw StorageError(failure_text("open", path.string(), errno) +
                       "; delete the folder of this index, and the next run builds it again");
  return file;
}

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

TextStore::TextStore(const std::filesystem::path& folder)
    : folder_(folder), texts_(open_stored(folder / kTexts)), ends_(open_stored(folder / kEnds)) {
  struct stat status {};
  if (::fstat(texts_.get(), &status) != 0) throw StorageError(failure_text("read", folder.string(), errno));
  bytes_ = static_cast<std::uint64_t>(status.st_size);
}

void TextStore::read_at(const Descriptor& file, char* to, std::size_t size, std::uint64_t offset) const {
  for (std::size_t done = 0; done < size;) {
    const auto count = ::pread(file.get(), to + done, size - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      throw StorageError("the texts in " + folder_.string() +
                         " cannot be read; delete this folder, and the next run builds it again");
    done += static_cast<std::size_t>(count);
  }
}

StoredText TextStore::read(std::size_t document) const {
  std::array<std::uint64_t, 3> ends{};  // of the document before, the text, the title
  const auto place = document * 2 * sizeof(std::uint64_t);
  if (document == 0) {
    read_at(ends_, reinterpret_cast<char*>(&ends[1]), 2 * sizeof(std::uint64_t), place);
  } else {
    read_at(ends_, reinterpret_cast<char*>(ends.data()), sizeof ends, place - sizeof(std::uint64_t));
  }
  if (ends[0] > ends[1] || ends[1] > ends[2] || ends[2] > bytes_)
    throw StorageError("the texts in " + folder_.string() +
                       " are damaged; delete this folder, and the next run builds it again");
  StoredText stored{std::string(ends[1] - ends[0], '\0'), std::string(ends[2] - ends[1], '\0')};
  read_at(texts_, stored.text.data(), stored.text.size(), ends[0]);
  read_at(texts_, stored.title.data(), stored.title.size(), ends[1]);
  return stored;
}

}  // namespace touchstone::retrieval
