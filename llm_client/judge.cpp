#include "llm_client/judge.hpp"

#include "common/digest.hpp"

namespace touchstone::llm_client {

std::string request_digest(const Judge& judge, const JudgeRequest& request) {
  Sha256 digest;
  const auto texts = [&](const std::vector<std::string>& list) {
    digest.update_field(std::to_string(list.size()));
    for (const auto& text : list) digest.update_field(text);
  };
  digest.update_field("judgment/1")
      .update_field(judge.id())
      .update_field(judge.parameters(request))
      .update_field(judge.prompt_digest());
  digest.update_field(request.page);
  texts(request.section_path);
  digest.update_field(request.column).update_field(request.member);
  texts(request.aliases);
  digest.update_field(request.passage_title).update_field(request.passage_text);
  for (const auto& [begin, end] : request.mentions)
    digest.update_field(std::to_string(begin)).update_field(std::to_string(end));
  digest.update_field(request.own_article ? "own" : "other");
  return digest.hex();
}

}  // namespace touchstone::llm_client
