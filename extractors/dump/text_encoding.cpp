#include "extractors/dump/text_encoding.hpp"

#include "common/error.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <unicode/ucnv.h>

namespace touchstone::extractors::dump::internal {
namespace {

/// Changes the bytes of another source, and says the same of the raw file.
class WrappingSource : public ByteSource {
 public:
  explicit WrappingSource(std::unique_ptr<ByteSource> inner) : inner_(std::move(inner)) {}
  std::uint64_t raw_offset() const noexcept override { return inner_->raw_offset(); }
  std::uint64_t raw_size() const noexcept override { return inner_->raw_size(); }
  const std::string& name() const noexcept override { return inner_->name(); }
  std::string raw_sha256() override { return inner_->raw_sha256(); }

 protected:
  std::unique_ptr<ByteSource> inner_;
};

/// UTF-16 text turned into UTF-8.
class Utf16Source : public WrappingSource {
 public:
  Utf16Source(std::unique_ptr<ByteSource> inner, std::string first, const char* encoding)
      : WrappingSource(std::move(inner)), pending_(std::move(first)) {
    UErrorCode status = U_ZERO_ERROR;
    from_ = ucnv_open(encoding, &status);
    to_ = ucnv_open("UTF-8", &status);
    if (U_FAILURE(status)) throw StorageError(std::string("cannot convert UTF-16: ") + u_errorName(status));
  }
  ~Utf16Source() override {
    ucnv_close(from_);
    ucnv_close(to_);
  }

  std::size_t read(char* buffer, std::size_t size) override {
    char* target = buffer;
    while (target == buffer && !done_) {
      if (pending_used_ == pending_.size()) {
        pending_.resize(1 << 16);
        pending_.resize(inner_->read(pending_.data(), pending_.size()));
        pending_used_ = 0;
        if (pending_.empty()) flush_ = true;
      }
      const char* source = pending_.data() + pending_used_;
      UErrorCode status = U_ZERO_ERROR;
      ucnv_convertEx(to_, from_, &target, buffer + size, &source, pending_.data() + pending_.size(), pivot_,
                     &pivot_source_, &pivot_target_, pivot_ + std::size(pivot_), reset_, flush_, &status);
      reset_ = false;
      pending_used_ = static_cast<std::size_t>(source - pending_.data());
      if (status == U_ZERO_ERROR || U_SUCCESS(status)) {
        done_ = flush_;
      } else if (status != U_BUFFER_OVERFLOW_ERROR) {
        throw FormatError(inner_->name() + ": not valid UTF-16 (" + u_errorName(status) + "); download it again");
      }
    }
    return static_cast<std::size_t>(target - buffer);
  }

 private:
  std::string pending_;
  std::size_t pending_used_ = 0;
  UConverter *from_ = nullptr, *to_ = nullptr;
  UChar pivot_[1024];
  UChar *pivot_source_ = pivot_, *pivot_target_ = pivot_;
  bool reset_ = true, flush_ = false, done_ = false;
};

/// Gives bytes that were read to look at them once more.
class PrefixedSource : public WrappingSource {
 public:
  PrefixedSource(std::unique_ptr<ByteSource> inner, std::string first)
      : WrappingSource(std::move(inner)), first_(std::move(first)) {}
  std::size_t read(char* buffer, std::size_t size) override {
    if (used_ == first_.size()) return inner_->read(buffer, size);
    const std::size_t got = std::min(size, first_.size() - used_);
    std::memcpy(buffer, first_.data() + used_, got);
    used_ += got;
    return got;
  }

 private:
  std::string first_;
  std::size_t used_ = 0;
};

}  // namespace

std::unique_ptr<ByteSource> as_utf8(std::unique_ptr<ByteSource> source) {
  using namespace std::string_view_literals;
  std::string first(4, '\0');
  std::size_t have = 0;
  while (have < first.size()) {
    const std::size_t got = source->read(first.data() + have, first.size() - have);
    if (got == 0) break;
    have += got;
  }
  first.resize(have);
  if (first.starts_with("\xff\xfe"sv))
    return std::make_unique<Utf16Source>(std::move(source), first.substr(2), "UTF-16LE");
  if (first.starts_with("\xfe\xff"sv))
    return std::make_unique<Utf16Source>(std::move(source), first.substr(2), "UTF-16BE");
  if (first.starts_with("<\0"sv)) return std::make_unique<Utf16Source>(std::move(source), first, "UTF-16LE");
  if (first.starts_with("\0<"sv)) return std::make_unique<Utf16Source>(std::move(source), first, "UTF-16BE");
  return std::make_unique<PrefixedSource>(std::move(source), std::move(first));
}

}  // namespace touchstone::extractors::dump::internal
