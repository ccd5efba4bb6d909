# Sanitizers must see the whole program, so their flags go to every target of the build.
# An undefined operation ends the program: a report that scrolls by is a report that nobody reads.

if(POLHODE_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "POLHODE_BUILD_FUZZERS needs clang++, which has libFuzzer; this is ${CMAKE_CXX_COMPILER_ID}")
  endif()
  if(NOT POLHODE_SANITIZE)
    set(POLHODE_SANITIZE address,undefined)
  endif()
endif()

if(POLHODE_SANITIZE)
  add_compile_options(-fsanitize=${POLHODE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    add_compile_options(-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/sanitizer_ignore.txt)
  endif()
  add_link_options(-fsanitize=${POLHODE_SANITIZE})
endif()
