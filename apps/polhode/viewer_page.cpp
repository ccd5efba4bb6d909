#include "viewer_page.h"

#ifdef POLHODE_VIEWER_PAGE

// The assembler puts the file in place, since compilers take a megabyte of text as a literal badly.
__asm__(
    ".pushsection .rodata\n"
    ".globl polhode_viewer_page_begin\n"
    ".globl polhode_viewer_page_end\n"
    "polhode_viewer_page_begin:\n"
    ".incbin \"" POLHODE_VIEWER_PAGE
    "\"\n"
    "polhode_viewer_page_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" const char polhode_viewer_page_begin[], polhode_viewer_page_end[];

namespace polhode::cli {
std::string_view viewer_page() {
  return {polhode_viewer_page_begin, std::size_t(polhode_viewer_page_end - polhode_viewer_page_begin)};
}
}  // namespace polhode::cli

#else

namespace polhode::cli {
std::string_view viewer_page() { return {}; }
}  // namespace polhode::cli

#endif
