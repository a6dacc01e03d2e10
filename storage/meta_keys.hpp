#pragma once

#include <string_view>

namespace touchstone::storage {

// Keys of the meta family (docs/store.md).

inline constexpr std::string_view kMetaConfig = "config";   ///< options of the last run, as TOML
inline constexpr std::string_view kMetaSources = "dumps";   ///< the files that pages were read from, as JSON
inline constexpr std::string_view kMetaSite = "site_info";  ///< the wiki, as JSON
inline constexpr std::string_view kMetaReader = "reader";   ///< how pages were read, a line each of what decides it
inline constexpr std::string_view kMetaPrevious =
    "previous";  ///< the dumps before this one that pages were taken over from, the last one first, as JSON
inline constexpr std::string_view kMetaNewestTimestamp = "newest_timestamp";  ///< of any page, ISO 8601
inline constexpr std::string_view kMetaIncludedProgress =
    "included_progress";                                        ///< how far included pages were collected
inline constexpr std::string_view kMetaStagePrefix = "stage/";  ///< and a stage's name: its manifest, as JSON

}  // namespace touchstone::storage
