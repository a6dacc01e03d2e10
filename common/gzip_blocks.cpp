#include "common/gzip_blocks.hpp"

#include "common/error.hpp"
#include "common/side_tasks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <oneapi/tbb/task_arena.h>
#include <zlib.h>

namespace touchstone {
namespace {

constexpr std::size_t kDictionaryBytes = 32768;  // how far back deflate looks
constexpr std::size_t kMostWaiting = 8;

/// A stream of zlib for raw deflate. Its 270 KB are kept by the thread for the next one.
class DeflateStream {
 public:
  DeflateStream() : stream_(std::move(kept())) {
    if (stream_ != nullptr) {
      ok_ = deflateReset(stream_.get()) == Z_OK;
      return;
    }
    constexpr int kRawDeflate = -15, kUsualMemory = 8;
    std::unique_ptr<z_stream, End> made(new (std::nothrow) z_stream{});
    ok_ = made != nullptr && deflateInit2(made.get(), GzipBlocks::kLevel, Z_DEFLATED, kRawDeflate, kUsualMemory,
                                          Z_DEFAULT_STRATEGY) == Z_OK;
    stream_ = std::move(made);
  }
  ~DeflateStream() {
    if (ok_) kept() = std::move(stream_);
  }
  DeflateStream(const DeflateStream&) = delete;
  DeflateStream& operator=(const DeflateStream&) = delete;

  bool ok() const noexcept { return ok_; }
  z_stream& operator*() const noexcept { return *stream_; }
  z_stream* operator->() const noexcept { return stream_.get(); }

 private:
  struct End {
    void operator()(z_stream* stream) const {
      deflateEnd(stream);
      delete stream;
    }
  };
  static std::unique_ptr<z_stream, End>& kept() {
    thread_local std::unique_ptr<z_stream, End> stream;
    return stream;
  }

  std::unique_ptr<z_stream, End> stream_;
  bool ok_ = false;
};

[[noreturn]] void fail_for_memory() {
  throw StorageError("there is not enough memory to compress a file; run again with fewer threads");
}

/// A piece of the text and its compressed form. The first thread that asks for it compresses it. Texts are given back
/// when they are not needed any more: a task that comes too late may keep the block until the file is complete.
class Block {
 public:
  Block(std::string dictionary, std::string text, bool is_last)
      : dictionary_(std::move(dictionary)),
        text_(std::move(text)),
        text_bytes_(text_.size()),
        is_last_(is_last),
        bytes_(::compressBound(static_cast<uLong>(text_.size())) + kEmptyBlockBytes, '\0') {}

  /// Compresses the block unless another thread has begun to. Throws nothing, since it runs in tasks.
  void try_compress() noexcept {
    if (begun_.test_and_set()) return;
    ok_ = compress();
    done_.store(true);
    done_.notify_all();
  }

  /// Returns when the block is compressed.
  void wait() {
    try_compress();
    done_.wait(false);
    if (!ok_) fail_for_memory();
  }

  /// The rest is for after `wait`.
  std::string take() { return std::exchange(bytes_, {}); }
  std::size_t text_bytes() const { return text_bytes_; }
  std::uint32_t checksum() const { return checksum_; }

 private:
  static constexpr std::size_t kEmptyBlockBytes = 16;  // what flushing adds

  bool compress() noexcept {
    const DeflateStream deflater;
    if (!deflater.ok()) return false;
    z_stream& stream = *deflater;
    if (!dictionary_.empty())
      deflateSetDictionary(&stream, reinterpret_cast<const Bytef*>(dictionary_.data()),
                           static_cast<uInt>(dictionary_.size()));
    stream.next_in = reinterpret_cast<Bytef*>(text_.data());
    stream.avail_in = static_cast<uInt>(text_.size());
    stream.next_out = reinterpret_cast<Bytef*>(bytes_.data());
    stream.avail_out = static_cast<uInt>(bytes_.size());
    const int status = deflate(&stream, is_last_ ? Z_FINISH : Z_SYNC_FLUSH);
    const bool whole = stream.avail_in == 0 && stream.avail_out > 0 && status == (is_last_ ? Z_STREAM_END : Z_OK);
    bytes_.resize(bytes_.size() - stream.avail_out);
    checksum_ = static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(text_.data()), static_cast<uInt>(text_.size())));
    // Assigning {} would keep the memory.
    std::string().swap(dictionary_);
    std::string().swap(text_);
    return whole;
  }

  std::string dictionary_, text_;
  std::size_t text_bytes_;
  bool is_last_;
  std::string bytes_;
  std::uint32_t checksum_ = 0;
  bool ok_ = false;
  std::atomic_flag begun_;
  std::atomic<bool> done_{false};
};

void append_little_endian(std::string& out, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((number >> shift) & 255);
}

}  // namespace

struct PieceDeflater::Impl {
  /// Compresses what `add` was given so far, and makes room for the result.
  void run(int flush) {
    constexpr std::size_t kRoomBytes = 16 << 10;
    for (;;) {
      if (piece.bytes.size() - used < kRoomBytes) piece.bytes.resize(used + used / 2 + 2 * kRoomBytes);
      const std::size_t room = std::min<std::size_t>(piece.bytes.size() - used, 1U << 30);
      stream->next_out = reinterpret_cast<Bytef*>(piece.bytes.data() + used);
      stream->avail_out = static_cast<uInt>(room);
      const int status = deflate(&*stream, flush);
      TS_CHECK(status == Z_OK || status == Z_BUF_ERROR, "deflate has room and a sound stream");
      used += room - stream->avail_out;
      if (stream->avail_out > 0) return;
    }
  }

  DeflateStream stream;
  DeflatedPiece piece;
  std::size_t used = 0;  ///< of piece.bytes
};

PieceDeflater::PieceDeflater() : impl_(std::make_unique<Impl>()) {
  if (!impl_->stream.ok()) fail_for_memory();
}

PieceDeflater::~PieceDeflater() = default;

void PieceDeflater::add(std::string_view text) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 30;  // fits into zlib's numbers
  for (; !text.empty(); text.remove_prefix(std::min(kAtOnce, text.size()))) {
    const auto some = text.substr(0, kAtOnce);
    const auto* const bytes = reinterpret_cast<const Bytef*>(some.data());
    impl_->stream->next_in = const_cast<Bytef*>(bytes);  // zlib does not write to it
    impl_->stream->avail_in = static_cast<uInt>(some.size());
    impl_->run(Z_NO_FLUSH);
    auto& piece = impl_->piece;
    piece.checksum = static_cast<std::uint32_t>(crc32(piece.checksum, bytes, static_cast<uInt>(some.size())));
    piece.text_bytes += some.size();
  }
}

DeflatedPiece PieceDeflater::take() {
  impl_->stream->avail_in = 0;
  if (impl_->piece.text_bytes > 0) impl_->run(Z_SYNC_FLUSH);
  impl_->piece.bytes.resize(impl_->used);
  impl_->piece.bytes.shrink_to_fit();
  return std::move(impl_->piece);
}

struct GzipBlocks::Impl {
  Impl(Sink where, Compression compression) : sink(std::move(where)) {
    // In an arena of one thread, tasks would be kept until the file is complete, and find nothing to do.
    if (compression == Compression::kParallel && tbb::this_task_arena::max_concurrency() > 1) tasks.emplace();
    // Magic bytes, deflate, no fields, no time, no hint, Unix. Source: RFC 1952, section 2.3.
    constexpr std::array<char, 10> kHeader = {'\x1f', '\x8b', 8, 0, 0, 0, 0, 0, 0, 3};
    sink({kHeader.data(), kHeader.size()});
  }

  ~Impl() {
    if (tasks) tasks->give_up();  // so that nothing is compressed in vain for long
  }

  void add(const DeflatedPiece& piece) {
    if (!text.empty()) submit(false);
    dictionary.clear();  // the end of the piece's text is not known any more
    take(0);
    sink(piece.bytes);
    count(piece.checksum, piece.text_bytes);
  }

  void submit(bool is_last) {
    std::string next_dictionary = text.substr(text.size() - std::min(text.size(), kDictionaryBytes));
    auto block = std::make_shared<Block>(std::exchange(dictionary, std::move(next_dictionary)), std::exchange(text, {}),
                                         is_last);
    waiting.push_back(block);
    if (tasks) tasks->run([block] { block->try_compress(); });
    take(is_last ? 0 : (tasks ? kMostWaiting : 0));
  }

  /// Hands on finished blocks until at most so many wait.
  void take(std::size_t most_waiting) {
    for (; waiting.size() > most_waiting; waiting.pop_front()) {
      Block& block = *waiting.front();
      block.wait();
      sink(block.take());
      count(block.checksum(), block.text_bytes());
    }
  }

  void count(std::uint32_t checksum_of_text, std::uint64_t bytes_of_text) {
    checksum =
        static_cast<std::uint32_t>(crc32_combine(checksum, checksum_of_text, static_cast<z_off_t>(bytes_of_text)));
    text_bytes += static_cast<std::uint32_t>(bytes_of_text);
  }

  Sink sink;
  std::string dictionary, text;  ///< the end of the block before, and the next block
  std::deque<std::shared_ptr<Block>> waiting;
  std::uint32_t checksum = 0, text_bytes = 0;  ///< of what was handed on; the size modulo 2^32
  std::optional<SideTasks> tasks;
};

GzipBlocks::GzipBlocks(Sink sink, Compression compression)
    : impl_(std::make_unique<Impl>(std::move(sink), compression)) {}

GzipBlocks::~GzipBlocks() = default;

void GzipBlocks::write(std::string_view text) {
  auto& block = impl_->text;
  while (!text.empty()) {
    // A full block waits for the next byte, since the last one is compressed in another way.
    if (block.size() == kBlockBytes) impl_->submit(false);
    const auto piece = text.substr(0, kBlockBytes - block.size());
    block += piece;
    text.remove_prefix(piece.size());
  }
}

void GzipBlocks::write(const DeflatedPiece& piece) {
  if (piece.text_bytes > 0) impl_->add(piece);
}

void GzipBlocks::finish() {
  impl_->submit(true);
  std::string trailer;
  append_little_endian(trailer, impl_->checksum);
  append_little_endian(trailer, impl_->text_bytes);
  impl_->sink(trailer);
}

}  // namespace touchstone
