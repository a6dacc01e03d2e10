# Folder = namespace = target: every folder calls touchstone_library() once, rooms inside of folders included:
# analysis/measures is the target touchstone_analysis_measures, alias touchstone::analysis::measures.

# Flags that hold for every target of ours and for none of the libraries we use.
add_library(touchstone_flags INTERFACE)
target_compile_options(touchstone_flags INTERFACE -Wall -Wextra -Wpedantic $<$<CXX_COMPILER_ID:GNU>:-Wshadow> -Wconversion
  -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # false positives on std::string in g++ 12 (GCC bug 105651)
  $<$<CXX_COMPILER_ID:Clang>:-Wno-overlength-strings>)
target_include_directories(touchstone_flags INTERFACE ${PROJECT_SOURCE_DIR})
if(TS_SANITIZE)
  target_compile_options(touchstone_flags INTERFACE -fsanitize=${TS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(TS_SANITIZE MATCHES "address.*undefined")
    # The address sanitizer finds these as well: an access through null, outside of an object, or to one of another class
    # whose memory was released. Their checks are at every access and cost a quarter of the time to compile.
    target_compile_options(touchstone_flags INTERFACE -fno-sanitize=null,object-size,vptr)
  endif()
  target_link_options(touchstone_flags INTERFACE -fsanitize=${TS_SANITIZE})
endif()
if(TS_BUILD_FUZZ)
  target_compile_options(touchstone_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# lld links our many test programs several times faster than ld. The release keeps ld, so that its layout in memory, and
# with it the speed that is measured, does not depend on what is installed.
find_program(TS_LLD ld.lld)
if(TS_LLD AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  target_link_options(touchstone_flags INTERFACE -fuse-ld=lld)
endif()

# touchstone_library(<folder> SOURCES ... HEADERS ... DEPENDS ... PRIVATE_DEPENDS ...)
# <folder> is named from the root: `analysis/measures` makes the library touchstone_analysis_measures, known as
# touchstone::analysis::measures.
function(touchstone_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  string(REPLACE "/" "_" target ${folder})
  string(REPLACE "/" "::" alias ${folder})
  add_library(touchstone_${target} STATIC ${ARG_SOURCES})
  add_library(touchstone::${alias} ALIAS touchstone_${target})
  target_sources(touchstone_${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARG_HEADERS})
  target_link_libraries(touchstone_${target} PUBLIC touchstone_flags ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS})
endfunction()

# touchstone_embed_texts(<variable> TYPE <type> FUNCTION <function> HEADER <header> NAMESPACE <namespace> [WITH_SUFFIX]
#   FILES <file>...)
# Writes a source that compiles the files in as `std::span<const type> function()`, each as {name, text}, and puts its
# path into the variable. The name is the file's, without its suffix unless WITH_SUFFIX is given. The header, named from
# the root, declares type and function.
function(touchstone_embed_texts variable)
  cmake_parse_arguments(ARG "WITH_SUFFIX" "TYPE;FUNCTION;HEADER;NAMESPACE" "FILES" ${ARGN})
  set(entries "")
  foreach(file IN LISTS ARG_FILES)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    if(ARG_WITH_SUFFIX)
      cmake_path(GET file FILENAME name)
    else()
      cmake_path(GET file STEM name)
    endif()
    string(APPEND entries "      {\"${name}\", R\"TEXT(${text})TEXT\"sv},\n")
  endforeach()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${ARG_FUNCTION}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"#include \"@ARG_HEADER@\"

#include <string_view>

namespace @ARG_NAMESPACE@ {

std::span<const @ARG_TYPE@> @ARG_FUNCTION@() {
  using namespace std::string_view_literals;
  static constexpr @ARG_TYPE@ kTexts[] = {
@entries@  };
  return kTexts;
}

}  // namespace @ARG_NAMESPACE@
")
  set(${variable} ${source} PARENT_SCOPE)
endfunction()

# touchstone_unit_tests(<program>)
# Each test of a GoogleTest program is a ctest test. Under a sanitizer a program is one, since starting one costs more
# there than most tests.
function(touchstone_unit_tests program)
  if(TS_SANITIZE)
    add_test(NAME ${program} COMMAND ${program})
    set_tests_properties(${program} PROPERTIES LABELS unit)
  else()
    gtest_discover_tests(${program} PROPERTIES LABELS unit)
  endif()
endfunction()

# touchstone_unit_tests_again(<program> <prefix> <filter> <environment>)
# Tests of a GoogleTest program, chosen by a filter, run a second time with an environment variable (NAME=VALUE).
function(touchstone_unit_tests_again program prefix filter environment)
  if(TS_SANITIZE)
    add_test(NAME ${prefix}.${program} COMMAND ${program} --gtest_filter=${filter})
    set_tests_properties(${prefix}.${program} PROPERTIES LABELS unit ENVIRONMENT "${environment}")
  else()
    gtest_discover_tests(${program} TEST_PREFIX ${prefix}. TEST_FILTER ${filter} TEST_LIST ${program}_${prefix}
      PROPERTIES LABELS unit ENVIRONMENT "${environment}")
  endif()
endfunction()
