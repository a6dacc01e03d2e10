#pragma once

#include "common/ids.hpp"
#include "common/options.hpp"
#include "common/settings.hpp"
#include "storage/store.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace touchstone::pipeline::corpus {

/// What a model that was trained up to a day cannot have read.
struct NewPagesOptions {
  std::string only_new;  ///< a day, such as "2026-05-31": topics and evidence are newer than it. Empty: of any age

  static std::vector<Option<NewPagesOptions>> options();
  static std::vector<std::string> problems(const Settings& settings);
};

/// For stages of which NewPagesOptions are a part: what is new depends on the previous work directory.
std::string new_pages_fingerprint(const Settings& settings);

/// Tells pages that are newer than a day. Thread-safe.
class NewPages {
 public:
  /// \param previous  a work directory, or empty
  /// Throws as open_previous.
  NewPages(const storage::Store& store, std::string day, const std::filesystem::path& previous);

  /// Whether the page has a revision of a later day.
  bool has(PageId page) const;
  /// The store of the previous work directory, which tells what a new page had before. Null without one, and if it has
  /// revisions after the day.
  const storage::Store* previous() const noexcept { return previous_.get(); }

 private:
  const storage::Store& store_;
  const std::string day_;
  std::unique_ptr<storage::Store> previous_;
};

}  // namespace touchstone::pipeline::corpus
