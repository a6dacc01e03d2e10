#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

namespace touchstone::analysis::studies {

/// Results of the parts of a long study, kept in a folder so that an interrupted run goes on where it stopped. A part
/// is a text that the study writes and reads. Thread-safe.
class FinishedParts {
 public:
  /// Keeps nothing: every part is computed.
  FinishedParts() = default;
  /// \param folder       made when the first part is finished
  /// \param fingerprint  of everything that the results depend on; parts of another fingerprint are not read
  FinishedParts(std::filesystem::path folder, std::string fingerprint);

  /// The text of the part: that of the folder, or else what `compute` gives, which is then written. A part that was cut
  /// short is computed again.
  /// \param name  unique within the study
  /// Throws StorageError if the folder cannot be written, and what `compute` throws.
  std::string part(std::string_view name, const std::function<std::string()>& compute);

  /// Removes the folder with all parts, once the result is written.
  void remove();

 private:
  std::filesystem::path file_of(std::string_view name) const;

  std::filesystem::path folder_;  ///< empty: nothing is kept
  std::string fingerprint_;
  std::mutex making_folder_;
};

}  // namespace touchstone::analysis::studies
