// What a page may send to `touchstone annotate`: requests for tasks, answers, and what the owner takes back. The first
// byte says which. Whatever can be read is given to a campaign, whose answers must fit their passages.
#include "annotation/server/messages.hpp"
#include "common/error.hpp"
#include "common/unicode.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>

#include <stdlib.h>

namespace {

using namespace touchstone;
using namespace touchstone::annotation;

void check(bool holds) {
  if (!holds) std::abort();
}

/// A campaign in a folder of its own, removed when the program ends.
class Fixture {
 public:
  Fixture() {
    std::string name = (std::filesystem::temp_directory_path() / "fuzz-annotation-XXXXXX").string();
    check(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
    std::ofstream(folder_ / "names") << "Ann\nBen\n";
    std::vector<Task> tasks(4);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      tasks[i].id = "t" + std::to_string(i);
      tasks[i].topic = "q";
      tasks[i].docid = "d" + std::to_string(i);
      tasks[i].query = "how tall is a spruce";
      tasks[i].text = i == 0 ? "word" : "A spruce \xF0\x9F\x8C\xB2 grows to 60 metres.";
    }
    CampaignOptions options;
    options.rotate = true;
    campaign_ = std::make_unique<Campaign>(folder_, tasks, options, Access::open(folder_, folder_ / "names"));
  }
  ~Fixture() {
    campaign_.reset();
    std::filesystem::remove_all(folder_);
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  Campaign& campaign() { return *campaign_; }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<Campaign> campaign_;
};

void check_answers(const Campaign& campaign) {
  for (const auto& answer : campaign.annotations()) {
    const auto& text = campaign.tasks()[answer.task.back() - '0'].text;
    std::uint32_t end = 0;
    for (const auto& span : answer.spans) {
      check(span.first >= end && span.first < span.second);
      end = span.second;
    }
    check(end <= count_code_points(text));
    check(is_valid_utf8(annotation_line(answer)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Fixture fixture;
  if (size == 0) return 0;
  auto& campaign = fixture.campaign();
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    switch (data[0]) {
      case 'n': {
        const auto wish = server::read_next(body);
        server::next_json(campaign, campaign.next(0, wish.count, wish.have));
        break;
      }
      case 'a': {
        const auto answers = server::read_answers(body);
        server::results_json(answers, campaign.post(0, answers), campaign.progress(0));
        check_answers(campaign);
        server::history_json(campaign, campaign.history(0, 100));
        break;
      }
      case 'b': {
        const auto wish = server::read_take_back(body);
        campaign.take_back(wish.filter, wish.reopen, wish.dry_run);
        break;
      }
      default:
        break;
    }
  } catch (const FormatError&) {  // a sentence for the page
  }
  return 0;
}
