#include "common/system_failure.hpp"

#include <cerrno>

namespace touchstone {
namespace {

/// What to do, as the end of a sentence; empty where there is nothing to say.
std::string remedy(const std::error_code& error) {
  if (error.category() != std::system_category() && error.category() != std::generic_category()) return {};
  switch (error.value()) {
    case ENAMETOOLONG:
      return "; choose a shorter name";
    case EACCES:
    case EPERM:
      return "; change its permissions or those of the folders above it, or name another one";
    case EROFS:
      return "; the file system is mounted read-only, name another place";
    case ENOSPC:
    case EDQUOT:
      return "; free some space and run again";
    case EFBIG:
      return "; raise the limit of file sizes (ulimit -f)";
    case EMFILE:
    case ENFILE:
      return "; raise the limit of open files (ulimit -n)";
    case ENOTDIR:
      return "; a part of the path is a file, name another one";
    case ELOOP:
      return "; symbolic links lead in a circle, or the name is a symbolic link where none may be followed";
    case EIO:
      return "; the disk may be failing, check it";
    default:
      return {};
  }
}

}  // namespace

std::string failure_text(std::string_view doing, const std::filesystem::path& path, const std::error_code& error) {
  return "cannot " + std::string(doing) + " " + path.string() + ": " + error.message() + remedy(error);
}

std::string failure_text(std::string_view doing, const std::filesystem::path& path, int code) {
  return failure_text(doing, path, std::error_code(code, std::generic_category()));
}

std::string failure_text(const std::system_error& error) {
  if (const auto* failure = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    return failure_text("use", failure->path2().empty() ? failure->path1() : failure->path2(), error.code());
  }
  if (error.code() == std::errc::resource_unavailable_try_again) {
    return "cannot start another thread: " + error.code().message() +
           "; use fewer threads (--threads) or raise the limits of processes and memory (ulimit -u, ulimit -v)";
  }
  return error.code().message() + remedy(error.code());
}

}  // namespace touchstone
