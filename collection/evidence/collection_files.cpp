#include "collection/evidence/collection_files.hpp"

#include <algorithm>

namespace touchstone::collection::evidence {

namespace {

bool is_evidence_file(std::string_view name) {
  const auto same = [&](const release::CollectionFile& file) { return file.name == name; };
  if (std::any_of(kDataFiles.begin(), kDataFiles.end(), same)) return true;
  return same(release::kCard) || same(release::kCroissant) || same(release::kManifest) || same(release::kDigests);
}

bool is_evidence_folder(std::string_view name) {
  return name == "qrels" || name == "runs" ||
         std::find(kReadingCopyFolders.begin(), kReadingCopyFolders.end(), name) != kReadingCopyFolders.end();
}

}  // namespace

const release::DirectoryLayout& evidence_layout() {
  static const release::DirectoryLayout layout{
      is_evidence_file, is_evidence_folder, {"qrels", kReadingCopyFolders[0], kReadingCopyFolders[1]}};
  return layout;
}

}  // namespace touchstone::collection::evidence
