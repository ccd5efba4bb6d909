# Tests of the repository itself rather than of mechanics.

# DESIGN.md section 4: which room may include which.
add_test(NAME rooms COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_rooms.py ${PROJECT_SOURCE_DIR})

# And that the check itself would notice.
add_test(NAME rooms.check_notices COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_rooms_test.py)

set_tests_properties(rooms rooms.check_notices PROPERTIES LABELS "repository;quick" TIMEOUT 60)

# Pages name files that exist and are wrapped, and the check would notice.
add_test(NAME pages COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_pages.py ${PROJECT_SOURCE_DIR})
add_test(NAME pages.check_notices COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_pages_test.py)
set_tests_properties(pages pages.check_notices PROPERTIES LABELS "repository;quick" TIMEOUT 60)

# Every row of the specification is shown by something that exists.
add_test(NAME seeds COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_seeds.py ${PROJECT_SOURCE_DIR})
add_test(NAME seeds.check_notices COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_seeds_test.py)
set_tests_properties(seeds seeds.check_notices PROPERTIES LABELS "repository;quick" TIMEOUT 60)

# No code for newer processors may leak out of the kernels. Only optimised builds inline what must be inlined, and
# sanitizers add functions of their own.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT POLHODE_SANITIZE AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_test(NAME kernel_symbols COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_kernel_symbols.py
           --nm ${CMAKE_NM} $<TARGET_OBJECTS:polhode> COMMAND_EXPAND_LISTS)
  set_tests_properties(kernel_symbols PROPERTIES LABELS "repository;quick" TIMEOUT 60)
endif()

# A program outside this repository finds the installed library. Instrumented libraries are not for installing.
if(POLHODE_INSTALL AND NOT POLHODE_SANITIZE)
  add_test(NAME downstream COMMAND ${CMAKE_COMMAND}
           -D build=${PROJECT_BINARY_DIR} -D scratch=${PROJECT_BINARY_DIR}/downstream -D source=${CMAKE_CURRENT_LIST_DIR}/downstream
           -D generator=${CMAKE_GENERATOR} -D compiler=${CMAKE_CXX_COMPILER} -D version=${PROJECT_VERSION}
           -P ${CMAKE_CURRENT_LIST_DIR}/downstream/run.cmake)
  set_tests_properties(downstream PROPERTIES LABELS "repository;quick" TIMEOUT 300 COST 100 RESOURCE_LOCK install)
  add_test(NAME downstream.headers_alone COMMAND ${CMAKE_COMMAND} -D headers_alone=ON
           -D build=${PROJECT_BINARY_DIR} -D scratch=${PROJECT_BINARY_DIR}/downstream_headers
           -D source=${CMAKE_CURRENT_LIST_DIR}/downstream -D generator=${CMAKE_GENERATOR} -D compiler=${CMAKE_CXX_COMPILER}
           -P ${CMAKE_CURRENT_LIST_DIR}/downstream/run.cmake)
  set_tests_properties(downstream.headers_alone PROPERTIES LABELS "repository;long" TIMEOUT 900 COST 100 RESOURCE_LOCK install)
endif()

# The reference of the public headers, without a warning: every name in them has a comment.
add_test(NAME reference COMMAND ${PROJECT_SOURCE_DIR}/tools/reference.sh ${PROJECT_BINARY_DIR}/docs)
add_test(NAME reference.filter COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/reference_filter_test.py)
set_tests_properties(reference reference.filter PROPERTIES LABELS "repository;quick" TIMEOUT 120)

# What the documentation shows is what the program prints. The tutorial installs the library and compiles a program with it.
add_test(NAME docs.check_notices COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_docs_test.py)
set_tests_properties(docs.check_notices PROPERTIES LABELS "repository;quick" TIMEOUT 60)
if(TARGET polhode_cli AND POLHODE_VIEWER_PAGE AND POLHODE_INSTALL AND NOT POLHODE_SANITIZE)
  add_test(NAME docs.commands COMMAND ${CMAKE_COMMAND} -E env CXX=${CMAKE_CXX_COMPILER} CMAKE_GENERATOR=${CMAKE_GENERATOR}
           ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_docs.py --build ${PROJECT_BINARY_DIR}
           ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/docs/tutorial.md ${PROJECT_SOURCE_DIR}/docs/commands.md
           ${PROJECT_SOURCE_DIR}/docs/studies.md ${PROJECT_SOURCE_DIR}/docs/record.md)
  set_tests_properties(docs.commands PROPERTIES LABELS "repository;long" TIMEOUT 300 COST 100 RESOURCE_LOCK install)
endif()

# Results as others read them. Python's packages are Debian's, which an interpreter that comes first on the path may not see.
set(POLHODE_READING_PYTHON ${Python3_EXECUTABLE})
foreach(python ${Python3_EXECUTABLE} /usr/bin/python3)
  execute_process(COMMAND ${python} -c "import h5py, pandas" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
  if(missing EQUAL 0)
    set(POLHODE_READING_PYTHON ${python})
    break()
  endif()
endforeach()
if(TARGET polhode_cli)
  add_test(NAME python.run_files COMMAND ${POLHODE_READING_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/python/run_file_test.py
           $<TARGET_FILE:polhode_cli> ${PROJECT_SOURCE_DIR})
  set_tests_properties(python.run_files PROPERTIES LABELS "python;long" TIMEOUT 600 COST 100)
endif()
