#include "extractors/zim/zim_archive.hpp"

#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/unicode.hpp"
#include "extractors/html/page_builder.hpp"
#include "extractors/zim/zim_checks.hpp"

#include <algorithm>
#include <iostream>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <zim/archive.h>
#include <zim/entry.h>
#include <zim/error.h>
#include <zim/item.h>

namespace touchstone::extractors::zim {
namespace {

constexpr std::string_view kArticles = "A/";  // of version 5; version 6 keeps articles apart itself
constexpr int kMostSteps = 8;                 // of redirects to redirects

/// What makes a file safe to read, and entries findable; order of titles and index of words are not used.
constexpr ::zim::IntegrityCheck kChecks[] = {::zim::IntegrityCheck::DIRENT_PTRS, ::zim::IntegrityCheck::DIRENT_ORDER,
                                             ::zim::IntegrityCheck::CLUSTER_PTRS,
                                             ::zim::IntegrityCheck::DIRENT_MIMETYPES};

/// libzim writes what its checks find to std::cerr; the one sentence of an error is enough.
class QuietErrors {
 public:
  QuietErrors() : before_(std::cerr.rdbuf(nullptr)) {}
  ~QuietErrors() {
    std::cerr.rdbuf(before_);
    std::cerr.clear();
  }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  std::streambuf* before_;
};

/// \param read  calls libzim, which throws its own and the standard library's exceptions at what is wrong
template <class Read>
auto guarded(const std::string& file, Read&& read) {
  try {
    return read();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    throw_damaged(file, error.what());
  }
}

std::string folded(std::string_view text) {
  html::InlineText content;
  content.append(repair_utf8(text));
  return nfc(content.take().text);
}

bool is_html(const std::string& mimetype) {
  return mimetype.starts_with("text/html") || mimetype.starts_with("application/xhtml+xml");
}

}  // namespace

struct ZimArchive::Impl {
  explicit Impl(const std::filesystem::path& path) : name(path.string()), archive(path.string()) {
    const auto all = archive.iterByPath();
    count = static_cast<std::uint32_t>(std::max(all.size(), 0));
    if (count > 0) first = all.begin()->getIndex();
    is_old = !archive.hasNewNamespaceScheme();
  }

  bool is_article(const ::zim::Entry& found) const {
    if (found.getIndex() < first || found.getIndex() - first >= count) return false;
    if (is_old && !found.getPath().starts_with(kArticles)) return false;
    return !found.isRedirect() && is_html(found.getItem().getMimetype());
  }

  static std::string title_of(const ::zim::Entry& found) {
    auto title = folded(found.getTitle());
    return is_invisible(title) ? folded(found.getPath()) : title;
  }

  std::string name;
  ::zim::Archive archive;
  std::uint32_t first = 0, count = 0;  ///< entries of users, among all
  bool is_old = false;                 ///< version 5: namespaces are in front of paths
  std::unordered_map<std::uint32_t, int> numbers;
};

ZimArchive::ZimArchive(const std::filesystem::path& path, bool compare_sum) {
  check_before_opening(path);
  if (compare_sum) check_sum(path);
  const QuietErrors quiet;
  const auto name = path.string();
  guarded(name, [&] {
    ::zim::IntegrityCheckList checks;
    for (const auto check : kChecks) checks.set(static_cast<std::size_t>(check));
    impl_ = std::make_unique<Impl>(path);
    if (!::zim::validate(name, checks)) throw_damaged(name, "its lists of entries do not fit together");
  });
}

ZimArchive::~ZimArchive() = default;

std::uint32_t ZimArchive::count() const noexcept {
  return impl_->count;
}

std::optional<ZimEntry> ZimArchive::entry(std::uint32_t index, bool& lost) const {
  return guarded(impl_->name, [&]() -> std::optional<ZimEntry> {
    auto found = impl_->archive.getEntryByPath(impl_->first + index);
    ZimEntry entry{found.getPath(), "", {}};
    if (impl_->is_old && !entry.path.starts_with(kArticles)) return std::nullopt;
    entry.title = Impl::title_of(found);
    const bool is_redirect = found.isRedirect();
    for (int step = 0; found.isRedirect(); ++step) {
      if (step == kMostSteps || found.getRedirectEntryIndex() >= impl_->archive.getAllEntryCount()) {
        lost = true;
        return std::nullopt;
      }
      found = found.getRedirectEntry();
    }
    if (!impl_->is_article(found)) return std::nullopt;
    if (is_redirect) {
      entry.target = found.getIndex() - impl_->first;
      if (entry.title == Impl::title_of(found)) return std::nullopt;
    }
    return entry;
  });
}

std::optional<std::uint32_t> ZimArchive::find(const std::string& path) const {
  try {
    auto found = impl_->archive.getEntryByPath(path);
    const auto title = Impl::title_of(found);
    auto article = found;
    for (int step = 0; article.isRedirect() && step < kMostSteps; ++step) article = article.getRedirectEntry();
    if (!impl_->is_article(article)) return std::nullopt;
    if (impl_->is_old && !found.getPath().starts_with(kArticles)) return std::nullopt;
    return (Impl::title_of(article) == title ? article : found).getIndex() - impl_->first;
  } catch (const std::exception&) {  // there is none of this path, or one that next() reports
    return std::nullopt;
  }
}

std::uint64_t ZimArchive::size(std::uint32_t index) const {
  return guarded(impl_->name, [&] { return impl_->archive.getEntryByPath(impl_->first + index).getItem().getSize(); });
}

std::string ZimArchive::html(std::uint32_t index) const {
  return guarded(impl_->name,
                 [&] { return std::string(impl_->archive.getEntryByPath(impl_->first + index).getItem().getData()); });
}

std::string ZimArchive::metadata(const std::string& name) const {
  constexpr std::uint64_t kMost = 4096;
  try {
    const auto item = impl_->archive.getMetadataItem(name);
    return item.getSize() > kMost ? std::string() : folded(std::string(item.getData()));
  } catch (const std::exception&) {
    return {};
  }
}

std::string ZimArchive::main_title() const {
  try {
    const auto item = impl_->archive.getMainEntry().getItem(true);
    return item.getIndex() < impl_->first ? std::string()
                                          : Impl::title_of(impl_->archive.getEntryByPath(item.getIndex()));
  } catch (const std::exception&) {
    return {};
  }
}

void ZimArchive::number_titles() {
  struct Use {
    std::uint64_t digest;
    bool is_redirect;  // an article keeps its title, before redirects
    std::uint32_t index;
    auto operator<=>(const Use&) const = default;
  };
  std::vector<Use> uses;
  bool lost = false;
  for (std::uint32_t index = 0; index < impl_->count; ++index) {
    if (const auto page = entry(index, lost)) uses.push_back({xxh3_64(page->title), page->target.has_value(), index});
  }
  std::sort(uses.begin(), uses.end());
  const auto is_taken = [&](const std::string& title) {
    const auto digest = xxh3_64(title);
    const auto found = std::lower_bound(uses.begin(), uses.end(), Use{digest, false, 0});
    return found != uses.end() && found->digest == digest;
  };
  std::set<std::string> given;
  for (std::size_t i = 1; i < uses.size(); ++i) {
    if (uses[i].digest != uses[i - 1].digest) continue;
    const auto page = entry(uses[i].index, lost);
    if (!page) continue;
    int number = 2;
    while (is_taken(fmt::format("{} ({})", page->title, number)) ||
           !given.insert(fmt::format("{} ({})", page->title, number)).second) {
      ++number;
    }
    impl_->numbers.emplace(uses[i].index, number);
  }
}

std::string ZimArchive::title(std::uint32_t index, const ZimEntry& entry) const {
  const auto found = impl_->numbers.find(index);
  return found == impl_->numbers.end() ? entry.title : fmt::format("{} ({})", entry.title, found->second);
}

}  // namespace touchstone::extractors::zim
