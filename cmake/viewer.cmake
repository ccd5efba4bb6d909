# The browser page of `polhode view`: built by npm from viewer/, embedded in the program (apps/polhode/viewer_page.cpp).
# Sets POLHODE_VIEWER_PAGE to the page's file when there is one; without it the program is built all the same and says so.
set(POLHODE_BUILD_VIEWER AUTO CACHE STRING "Build the browser page: ON, OFF, or AUTO (when npm is there and can fetch its packages)")
set_property(CACHE POLHODE_BUILD_VIEWER PROPERTY STRINGS AUTO ON OFF)
unset(POLHODE_VIEWER_PAGE CACHE)

# ON asks for the page, so that not having it is an error; AUTO makes do without.
function(polhode_no_viewer why)
  if(POLHODE_BUILD_VIEWER STREQUAL "AUTO")
    message(WARNING "${why}\nBuilding without the browser page of `polhode view`.")
  else()
    message(FATAL_ERROR "${why}\nPOLHODE_BUILD_VIEWER=AUTO builds without the browser page.")
  endif()
endfunction()

# node_modules is in viewer/, where editors and npm look for it, and is shared by all build folders: whoever comes first fetches
# it, the others wait. A copy of the lock file inside tells what was fetched.
function(polhode_fetch_viewer_packages folder result)
  set(stamp ${folder}/node_modules/.polhode-fetched.json)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/package-lock.json ${stamp})
  file(LOCK ${folder} DIRECTORY GUARD FUNCTION RESULT_VARIABLE locked TIMEOUT 600)
  set(${result} 0 PARENT_SCOPE)
  file(SHA256 ${folder}/package-lock.json wanted)
  if(EXISTS ${stamp})
    file(SHA256 ${stamp} fetched)
    if(fetched STREQUAL wanted)
      return()
    endif()
  endif()
  message(STATUS "Fetching the packages that the browser page is built with (npm ci)")
  execute_process(COMMAND ${POLHODE_NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
                  WORKING_DIRECTORY ${folder} RESULT_VARIABLE status)
  set(${result} ${status} PARENT_SCOPE)
  if(status EQUAL 0)
    configure_file(${folder}/package-lock.json ${stamp} COPYONLY)
  endif()
endfunction()

if(NOT POLHODE_BUILD_VIEWER)
  return()
endif()
find_program(POLHODE_NPM npm)
find_program(POLHODE_NODE NAMES node nodejs)
mark_as_advanced(POLHODE_NPM POLHODE_NODE)
if(NOT POLHODE_NPM OR NOT POLHODE_NODE)
  polhode_no_viewer("npm was not found; `make setup` installs it.")
  return()
endif()

set(viewer ${PROJECT_SOURCE_DIR}/viewer)
polhode_fetch_viewer_packages(${viewer} status)
if(NOT status EQUAL 0)
  polhode_no_viewer("npm could not fetch the packages of viewer/package-lock.json (see above).")
  return()
endif()

# Types are checked by the tests (label viewer), not here: vite only takes them away.
set(POLHODE_VIEWER_PAGE ${PROJECT_BINARY_DIR}/viewer/index.html CACHE INTERNAL "The browser page that the program embeds")
file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS ${viewer}/src/*)
add_custom_command(OUTPUT ${POLHODE_VIEWER_PAGE}
  COMMAND ${POLHODE_NODE} node_modules/vite/bin/vite.js build --logLevel warn --emptyOutDir --outDir ${PROJECT_BINARY_DIR}/viewer
  WORKING_DIRECTORY ${viewer}
  DEPENDS ${viewer_sources} ${viewer}/index.html ${viewer}/vite.config.ts ${viewer}/node_modules/.polhode-fetched.json
  COMMENT "Building the browser page" VERBATIM)
