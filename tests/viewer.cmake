# Tests of the browser page: its own logic and style, and the page in a browser, served by the program. Label viewer.
# What the program itself does for it is in tests/cli, with the sanitizers too.
if(NOT TARGET polhode_cli OR NOT POLHODE_VIEWER_PAGE OR POLHODE_SANITIZE)
  return()
endif()
set(viewer ${PROJECT_SOURCE_DIR}/viewer)

add_test(NAME viewer.logic COMMAND ${POLHODE_NPM} test --silent WORKING_DIRECTORY ${viewer})
add_test(NAME viewer.lint COMMAND ${POLHODE_NPM} run --silent lint WORKING_DIRECTORY ${viewer})
set_tests_properties(viewer.logic viewer.lint PROPERTIES LABELS viewer TIMEOUT 300)

# In Chromium without a graphics card, which keeps all cores busy. Leaves pictures in viewer-screenshots/ of the build folder.
add_test(NAME viewer.browser COMMAND ${POLHODE_NPM} run --silent e2e WORKING_DIRECTORY ${viewer})
set_tests_properties(viewer.browser PROPERTIES LABELS viewer TIMEOUT 900 RUN_SERIAL ON
  SKIP_REGULAR_EXPRESSION "chromium is not installed"
  ENVIRONMENT "POLHODE_PROGRAM=$<TARGET_FILE:polhode_cli>;POLHODE_RESULTS=${PROJECT_BINARY_DIR}")
