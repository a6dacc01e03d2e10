#include "storage/store_log.hpp"

#include <ctime>

namespace touchstone::storage::internal {
namespace {

constexpr long kMostBytes = 1 << 20;

}  // namespace

StoreLog::StoreLog(const std::filesystem::path& file) : rocksdb::Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {
  if (!file.empty()) file_.reset(std::fopen(file.c_str(), "we"));
}

void StoreLog::Logv(const char* format, va_list arguments) {
  const std::lock_guard lock(mutex_);
  if (!file_ || bytes_ >= kMostBytes) return;
  char time[32] = "";
  const auto now = std::time(nullptr);
  std::tm parts{};
  if (::gmtime_r(&now, &parts) != nullptr) std::strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ ", &parts);
  char text[2048];
  if (std::vsnprintf(text, sizeof text, format, arguments) < 0) return;
  const int written = std::fprintf(file_.get(), "%s%s\n", time, text);
  if (written > 0) bytes_ += written;
  std::fflush(file_.get());
}

}  // namespace touchstone::storage::internal
