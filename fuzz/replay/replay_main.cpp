// Runs a fuzz target over the files of its corpus, so that what a fuzzer once found stays found. Besides each file as
// it is, a few cut and changed copies are run, the same ones every time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void run(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  run("");
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::printf("%s\n", file.filename().c_str());
    run(bytes);
    std::mt19937 random(1);  // the seed
    for (int round = 0; round < 50 && !bytes.empty(); ++round) {
      auto changed = bytes.substr(0, round % 2 == 0 ? bytes.size() : random() % bytes.size());
      for (int i = 0; i < 3 && !changed.empty(); ++i) changed[random() % changed.size()] = static_cast<char>(random());
      run(changed);
    }
  }
  std::printf("%zu files\n", files.size());
  return files.empty() ? 1 : 0;
}
