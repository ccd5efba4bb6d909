// Nothing of its own: the precompiled headers of all tests are made with it (tests/CMakeLists.txt).
