#pragma once

#include <cstddef>
#include <string_view>

namespace touchstone {

/// Bytes that tell any archive.
inline constexpr std::size_t kArchiveHeadBytes = 512;

/// Which kind of archive of several files begins with these bytes: "tar", "zip", "7z", "rar", "cpio" or "ar"; empty for
/// any other file. A tar is recognised by the checksum of its first header, with or without "ustar". Pure.
/// \param head  the first kArchiveHeadBytes bytes, or all there are
/// Source: tar(5), zip APPNOTE.TXT 4.3, 7zFormat.txt, cpio(5).
std::string_view archive_kind(std::string_view head) noexcept;

}  // namespace touchstone
