#include "extractors/template_rules.hpp"

namespace touchstone::extractors {

struct TemplateRules::Impl {};

TemplateRules::TemplateRules() : impl_(std::make_unique<Impl>()) {}
TemplateRules::~TemplateRules() = default;
TemplateRules::TemplateRules(TemplateRules&&) noexcept = default;
TemplateRules& TemplateRules::operator=(TemplateRules&&) noexcept = default;

TemplateRules TemplateRules::load(std::span<const std::filesystem::path>) { return {}; }
TemplateRules TemplateRules::built_in(std::string_view) { return {}; }
std::string TemplateRules::digest() const { return {}; }

}  // namespace touchstone::extractors
