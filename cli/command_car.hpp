#pragma once

#include "cli/command.hpp"

namespace touchstone::cli {

// Each function registers one sub-command of `touchstone car`.
void add_car_show(Command car, Context& context);
void add_car_validate(Command car, Context& context);
void add_car_convert(Command car, Context& context);
void add_car_derive(Command car, Context& context);

}  // namespace touchstone::cli
