#include "extractors/internal/units.hpp"

namespace touchstone::extractors::internal {
namespace {

// Exact factors by definition (NIST Special Publication 811, appendix B, read 2025-01).
constexpr Unit kUnits[] = {
    // length, in metres
    {"m", "length", 1, 0, "m", "metre", "metres", "meter", "ftin"},
    {"km", "length", 1000, 0, "km", "kilometre", "kilometres", "kilometer", "mi"},
    {"cm", "length", 0.01, 0, "cm", "centimetre", "centimetres", "centimeter", "in"},
    {"mm", "length", 0.001, 0, "mm", "millimetre", "millimetres", "millimeter", "in"},
    {"nm", "length", 1e-9, 0, "nm", "nanometre", "nanometres", "nanometer", "in"},
    {"mi", "length", 1609.344, 0, "mi", "mile", "miles", "", "km"},
    {"ft", "length", 0.3048, 0, "ft", "foot", "feet", "", "m"},
    {"foot", "length", 0.3048, 0, "ft", "foot", "foot", "", "m"},
    {"in", "length", 0.0254, 0, "in", "inch", "inches", "", "mm"},
    {"yd", "length", 0.9144, 0, "yd", "yard", "yards", "", "m"},
    {"nmi", "length", 1852, 0, "nmi", "nautical mile", "nautical miles", "", "km"},
    {"furlong", "length", 201.168, 0, "furlong", "furlong", "furlongs", "", "m"},
    // area, in square metres
    {"m2", "area", 1, 0, "m<sup>2</sup>", "square metre", "square metres", "square meter", "sqft"},
    {"sqm", "area", 1, 0, "m<sup>2</sup>", "square metre", "square metres", "square meter", "sqft"},
    {"km2", "area", 1e6, 0, "km<sup>2</sup>", "square kilometre", "square kilometres", "square kilometer", "sqmi"},
    {"sqkm", "area", 1e6, 0, "km<sup>2</sup>", "square kilometre", "square kilometres", "square kilometer", "sqmi"},
    {"ha", "area", 1e4, 0, "ha", "hectare", "hectares", "", "acre"},
    {"acre", "area", 4046.8564224, 0, "acre", "acre", "acres", "", "ha"},
    {"sqmi", "area", 2589988.110336, 0, "sq mi", "square mile", "square miles", "", "km2"},
    {"mi2", "area", 2589988.110336, 0, "sq mi", "square mile", "square miles", "", "km2"},
    {"sqft", "area", 0.09290304, 0, "sq ft", "square foot", "square feet", "", "m2"},
    {"ft2", "area", 0.09290304, 0, "sq ft", "square foot", "square feet", "", "m2"},
    {"sqyd", "area", 0.83612736, 0, "sq yd", "square yard", "square yards", "", "m2"},
    {"sqin", "area", 0.00064516, 0, "sq in", "square inch", "square inches", "", "cm2"},
    {"cm2", "area", 1e-4, 0, "cm<sup>2</sup>", "square centimetre", "square centimetres", "square centimeter", "sqin"},
    // mass, in kilograms
    {"kg", "mass", 1, 0, "kg", "kilogram", "kilograms", "", "lb"},
    {"g", "mass", 0.001, 0, "g", "gram", "grams", "", "oz"},
    {"t", "mass", 1000, 0, "t", "tonne", "tonnes", "metric ton", "LT ST"},
    {"lb", "mass", 0.45359237, 0, "lb", "pound", "pounds", "", "kg"},
    {"oz", "mass", 0.028349523125, 0, "oz", "ounce", "ounces", "", "g"},
    {"ST", "mass", 907.18474, 0, "short tons", "short ton", "short tons", "", "t"},
    {"LT", "mass", 1016.0469088, 0, "long tons", "long ton", "long tons", "", "t"},
    {"st", "mass", 6.35029318, 0, "st", "stone", "stone", "", "kg"},
    // volume, in litres
    {"L", "volume", 1, 0, "L", "litre", "litres", "liter", "impgal USgal"},
    {"l", "volume", 1, 0, "l", "litre", "litres", "liter", "impgal USgal"},
    {"m3", "volume", 1000, 0, "m<sup>3</sup>", "cubic metre", "cubic metres", "cubic meter", "cuft"},
    {"km3", "volume", 1e12, 0, "km<sup>3</sup>", "cubic kilometre", "cubic kilometres", "cubic kilometer", "cumi"},
    {"cumi", "volume", 4168181825440.579584, 0, "cu mi", "cubic mile", "cubic miles", "", "km3"},
    {"cuft", "volume", 28.316846592, 0, "cu ft", "cubic foot", "cubic feet", "", "m3"},
    {"USgal", "volume", 3.785411784, 0, "US gal", "US gallon", "US gallons", "", "L"},
    {"impgal", "volume", 4.54609, 0, "imp gal", "imperial gallon", "imperial gallons", "", "L"},
    // speed, in metres a second
    {"km/h", "speed", 1.0 / 3.6, 0, "km/h", "kilometre per hour", "kilometres per hour", "kilometer per hour", "mph"},
    {"mph", "speed", 0.44704, 0, "mph", "mile per hour", "miles per hour", "", "km/h"},
    {"m/s", "speed", 1, 0, "m/s", "metre per second", "metres per second", "meter per second", "ft/s"},
    {"ft/s", "speed", 0.3048, 0, "ft/s", "foot per second", "feet per second", "", "m/s"},
    {"km/s", "speed", 1000, 0, "km/s", "kilometre per second", "kilometres per second", "kilometer per second", "mi/s"},
    {"mi/s", "speed", 1609.344, 0, "mi/s", "mile per second", "miles per second", "", "km/s"},
    {"knot", "speed", 1852.0 / 3600, 0, "kn", "knot", "knots", "", "km/h"},
    {"kn", "speed", 1852.0 / 3600, 0, "kn", "knot", "knots", "", "km/h"},
    // temperature, in kelvins
    {"C", "temperature", 1, 273.15,
     "\xC2\xB0"
     "C",
     "degree Celsius", "degrees Celsius", "", "F"},
    {"F", "temperature", 5.0 / 9, 459.67 * 5.0 / 9,
     "\xC2\xB0"
     "F",
     "degree Fahrenheit", "degrees Fahrenheit", "", "C"},
    {"K", "temperature", 1, 0, "K", "kelvin", "kelvins", "", "F"},
    // power, energy, pressure, density of population
    {"kW", "power", 1000, 0, "kW", "kilowatt", "kilowatts", "", "hp"},
    {"hp", "power", 745.69987158227022, 0, "hp", "horsepower", "horsepower", "", "kW"},
    {"MW", "power", 1e6, 0, "MW", "megawatt", "megawatts", "", "hp"},
    {"kPa", "pressure", 1000, 0, "kPa", "kilopascal", "kilopascals", "", "psi"},
    {"psi", "pressure", 6894.757293168361, 0, "psi", "pound per square inch", "pounds per square inch", "", "kPa"},
    {"atm", "pressure", 101325, 0, "atm", "standard atmosphere", "standard atmospheres", "", "kPa"},
    {"PD/km2", "population", 1, 0, "/km<sup>2</sup>", "inhabitant per square kilometre",
     "inhabitants per square kilometre", "inhabitant per square kilometer", "PD/sqmi", true},
    {"PD/sqmi", "population", 1 / 2.589988110336, 0, "/sq mi", "inhabitant per square mile",
     "inhabitants per square mile", "", "PD/km2", true},
    {"/km2", "population", 1, 0, "/km<sup>2</sup>", "per square kilometre", "per square kilometre",
     "per square kilometer", "/sqmi", true},
    {"/sqmi", "population", 1 / 2.589988110336, 0, "/sq mi", "per square mile", "per square mile", "", "/km2", true},
};

struct Synonym {
  std::string_view name, code;
};
constexpr Synonym kSynonyms[] = {
    {"metre", "m"},
    {"metres", "m"},
    {"meter", "m"},
    {"meters", "m"},
    {"kilometre", "km"},
    {"kilometres", "km"},
    {"kilometer", "km"},
    {"kilometers", "km"},
    {"mile", "mi"},
    {"miles", "mi"},
    {"feet", "ft"},
    {"inch", "in"},
    {"inches", "in"},
    {"yard", "yd"},
    {"yards", "yd"},
    {"acres", "acre"},
    {"hectare", "ha"},
    {"hectares", "ha"},
    {"pound", "lb"},
    {"pounds", "lb"},
    {"lbs", "lb"},
    {"kilogram", "kg"},
    {"kilograms", "kg"},
    {"tonne", "t"},
    {"tonnes", "t"},
    {"MT", "t"},
    {"kph", "km/h"},
    {"knots", "knot"},
    {"kt", "kn"},
    {"\xC2\xB0"
     "C",
     "C"},
    {"\xC2\xB0"
     "F",
     "F"},
    {"sq mi", "sqmi"},
    {"sq ft", "sqft"},
    {"gram", "g"},
    {"grams", "g"},
    {"km\xC2\xB2", "km2"},
    {"m\xC2\xB2", "m2"},
    {"nautical mile", "nmi"},
    {"nautical miles", "nmi"},
    {"cuyd", "cuyd"},
    {"ounce", "oz"},
};

}  // namespace

const Unit* find_unit(std::string_view code) noexcept {
  for (const Synonym& synonym : kSynonyms) {
    if (synonym.name == code) code = synonym.code;
  }
  for (const Unit& unit : kUnits) {
    if (unit.code == code) return &unit;
  }
  return nullptr;
}

}  // namespace touchstone::extractors::internal
