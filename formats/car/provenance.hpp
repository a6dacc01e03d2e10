#pragma once

#include <string>
#include <vector>

namespace touchstone::formats::car {

/// A wiki that pages were taken from.
struct SiteProvenance {
  std::string site_id;   ///< such as "enwiki"
  std::string language;  ///< RFC 5646, such as "en"
  std::string source;    ///< name of the dump
  std::vector<std::string> comments;
  friend bool operator==(const SiteProvenance&, const SiteProvenance&) = default;
};

/// A program that made or changed the file.
struct Transform {
  std::string tool;
  std::string commit;
  std::string info;  ///< free text; readers drop what an old file has here if it is not text
  friend bool operator==(const Transform&, const Transform&) = default;
};

/// Where a file comes from, as its header tells it.
struct Provenance {
  std::vector<SiteProvenance> sites;
  std::string release_name;
  std::vector<std::string> comments;
  std::vector<Transform> transforms;
  friend bool operator==(const Provenance&, const Provenance&) = default;
};

}  // namespace touchstone::formats::car
