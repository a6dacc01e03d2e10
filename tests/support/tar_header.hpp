#pragma once

#include <cstdio>
#include <string>

namespace touchstone::testing {

/// The first 512 bytes of a tar archive whose first file has this name and size. Without `with_magic`, as the oldest
/// programs wrote it.
inline std::string tar_header(const std::string& name, unsigned size, bool with_magic = true) {
  std::string header(512, '\0');
  const auto put = [&](std::size_t at, const std::string& text) { header.replace(at, text.size(), text); };
  char octal[16];
  put(0, name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  std::snprintf(octal, sizeof octal, "%011o", size);
  put(124, octal);
  put(136, "00000000000");
  put(148, "        ");
  put(156, "0");
  if (with_magic) put(257, std::string("ustar\00000", 8));
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  std::snprintf(octal, sizeof octal, "%06o", sum);
  put(148, octal);
  header[154] = '\0';
  return header;
}

}  // namespace touchstone::testing
