#include "extractors/dump/sax_reader.hpp"

#include "common/error.hpp"

#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include <libxml/parser.h>

namespace touchstone::extractors::dump::internal {
namespace {

struct Frame {
  SaxHandler* handler;
  xmlParserCtxt* context = nullptr;
  std::vector<Attribute> attributes = {};  // of the element that starts
  std::exception_ptr failure = {};

  template <class Call>
  void guarded(Call&& call) noexcept {
    if (failure) return;
    try {
      call();
    } catch (...) {  // carried across the C frames of libxml2 and rethrown by read_xml
      failure = std::current_exception();
      xmlStopParser(context);
    }
  }
};

std::string_view view(const xmlChar* text) {
  return reinterpret_cast<const char*>(text);
}

void on_start(void* data, const xmlChar* name, const xmlChar*, const xmlChar*, int, const xmlChar**, int count, int,
              const xmlChar** attributes) {
  auto& frame = *static_cast<Frame*>(data);
  frame.guarded([&] {
    frame.attributes.clear();
    for (int i = 0; i < count; ++i) {
      // Five pointers each: local name, prefix, URI, begin and end of the value.
      const xmlChar** attribute = attributes + 5 * i;
      const auto size = static_cast<std::size_t>(attribute[4] - attribute[3]);
      frame.attributes.push_back({view(attribute[0]), {reinterpret_cast<const char*>(attribute[3]), size}});
    }
    frame.handler->start(view(name), frame.attributes);
  });
}

void on_end(void* data, const xmlChar* name, const xmlChar*, const xmlChar*) {
  auto& frame = *static_cast<Frame*>(data);
  frame.guarded([&] { frame.handler->end(view(name)); });
}

void on_text(void* data, const xmlChar* text, int size) {
  auto& frame = *static_cast<Frame*>(data);
  frame.guarded([&] { frame.handler->text({reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)}); });
}

void on_comment(void* data, const xmlChar*) {
  auto& frame = *static_cast<Frame*>(data);
  frame.guarded([&] { frame.handler->other(); });
}

void on_instruction(void* data, const xmlChar*, const xmlChar*) {
  on_comment(data, nullptr);
}

void ignore_message(void*, const char*, ...) {}

}  // namespace

bool read_xml(std::string_view xml, SaxHandler& handler) {
  static const bool initialised = [] {
    xmlInitParser();
    return true;
  }();
  static_cast<void>(initialised);
  xmlSAXHandler callbacks{};
  callbacks.initialized = XML_SAX2_MAGIC;
  callbacks.startElementNs = on_start;
  callbacks.endElementNs = on_end;
  callbacks.characters = on_text;
  callbacks.cdataBlock = on_text;
  callbacks.ignorableWhitespace = on_text;
  callbacks.comment = on_comment;
  callbacks.processingInstruction = on_instruction;
  callbacks.warning = ignore_message;
  callbacks.error = ignore_message;

  Frame frame{&handler};
  const std::unique_ptr<xmlParserCtxt, void (*)(xmlParserCtxt*)> context(
      xmlCreatePushParserCtxt(&callbacks, &frame, nullptr, 0, nullptr), xmlFreeParserCtxt);
  if (context == nullptr) throw Error("out of memory reading XML");
  frame.context = context.get();
  // Huge: texts over 10 MB are legal; sizes are bounded by the caller. No entities are loaded or substituted.
  xmlCtxtUseOptions(context.get(), XML_PARSE_HUGE | XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  constexpr std::size_t kPiece = std::size_t{1} << 30;
  int status = 0;
  while (xml.size() > kPiece && status == 0) {
    status = xmlParseChunk(context.get(), xml.data(), static_cast<int>(kPiece), 0);
    xml.remove_prefix(kPiece);
  }
  if (status == 0) status = xmlParseChunk(context.get(), xml.data(), static_cast<int>(xml.size()), 1);
  // A document type declaration makes libxml2 build a document of its own, which the context does not free.
  if (context->myDoc != nullptr) xmlFreeDoc(std::exchange(context->myDoc, nullptr));
  if (frame.failure) std::rethrow_exception(frame.failure);
  return status == 0 && context->wellFormed == 1;
}

std::string_view attribute_value(std::string_view name, Attributes attributes) noexcept {
  for (const Attribute& attribute : attributes) {
    if (attribute.name == name) return attribute.value;
  }
  return {};
}

}  // namespace touchstone::extractors::dump::internal
