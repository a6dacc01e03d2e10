#pragma once

#include "common/settings.hpp"

#include <string>
#include <vector>

namespace touchstone::pipeline::release {

/// Under which licence the wiki's texts are.
struct LicenseOptions {
  std::string license;

  static std::vector<Option<LicenseOptions>> options() {
    return {
        {"wiki.license", &LicenseOptions::license,
         "Licence of the wiki's texts as an SPDX name, for the dataset card. Empty: unknown."},
    };
  }
};

}  // namespace touchstone::pipeline::release
