# Makes a C++ source of the report's static assets: cmake -DWEB=<folder> -DOUT=<file> -P embed_assets.cmake
set(source "// Made by collection/report/embed_assets.cmake from web/; do not edit.\n#include \"collection/report/report_assets.hpp\"\n\nnamespace touchstone::formats::internal {\n\n")
foreach(name IN ITEMS html css js)
  file(READ "${WEB}/report.${name}" text)
  string(APPEND source "const std::string_view kReport_${name} = R\"TS_ASSET(${text})TS_ASSET\";\n\n")
endforeach()
string(APPEND source "}  // namespace touchstone::formats::internal\n")
file(WRITE "${OUT}" "${source}")
