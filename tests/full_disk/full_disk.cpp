#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

// A disk that becomes full at a chosen moment, for tests: preloaded (LD_PRELOAD), it lets calls fail with ENOSPC.
// FULL_DISK_FILES: part of the paths concerned. FULL_DISK_CALL: "write", "sync" or "open" (that creates a file).
// FULL_DISK_FROM: number of the first such call that fails, from 1; all after it fail too.
// FULL_DISK_COUNT: a file that gets the number of such calls when the program ends by itself; then none fails.
namespace {

std::atomic<int> calls = 0;

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool fails(const char* call, const char* path) {
  const char* files = variable("FULL_DISK_FILES");
  if (std::strcmp(call, variable("FULL_DISK_CALL")) != 0 || *files == '\0') return false;
  if (std::strstr(path, files) == nullptr) return false;
  if (++calls < std::atoi(variable("FULL_DISK_FROM")) || *variable("FULL_DISK_COUNT") != '\0') return false;
  errno = ENOSPC;
  return true;
}

bool fails(const char* call, int descriptor) {
  const int before = errno;
  char path[4096];
  const auto link = "/proc/self/fd/" + std::to_string(descriptor);
  const auto size = ::readlink(link.c_str(), path, sizeof path - 1);
  errno = before;
  if (size <= 0) return false;
  path[size] = '\0';
  return fails(call, path);
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

[[gnu::destructor]] void write_count() {
  const char* path = variable("FULL_DISK_COUNT");
  if (*path == '\0') return;
  if (std::FILE* file = std::fopen(path, "w"); file != nullptr) {
    std::fprintf(file, "%d\n", calls.load());
    std::fclose(file);
  }
}

}  // namespace

extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static auto* const function = real<ssize_t(int, const void*, size_t)>("write");
  return fails("write", descriptor) ? -1 : function(descriptor, bytes, size);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  static auto* const function = real<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return fails("write", descriptor) ? -1 : function(descriptor, bytes, size, offset);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  static auto* const function = real<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  return fails("write", descriptor) ? -1 : function(descriptor, bytes, size, offset);
}

int fsync(int descriptor) {
  static auto* const function = real<int(int)>("fsync");
  return fails("sync", descriptor) ? -1 : function(descriptor);
}

int fdatasync(int descriptor) {
  static auto* const function = real<int(int)>("fdatasync");
  return fails("sync", descriptor) ? -1 : function(descriptor);
}

int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, mode_t);
  va_end(rest);
  static auto* const function = real<int(const char*, int, ...)>("open64");
  return (flags & O_CREAT) != 0 && fails("open", path) ? -1 : function(path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = va_arg(rest, mode_t);
  va_end(rest);
  static auto* const function = real<int(const char*, int, ...)>("open");
  return (flags & O_CREAT) != 0 && fails("open", path) ? -1 : function(path, flags, mode);
}

}  // extern "C"
