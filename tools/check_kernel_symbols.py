#!/usr/bin/env python3
"""No code for a newer processor may leak out of the kernels.

The kernels are compiled once per instruction set, with flags that allow instructions which the processor at hand may not
have; they run only after it was asked (src/polhode/spatial/instruction_set.h). Two things could run them without asking:

- A function that several object files define (an inline function or a template that was not inlined) is a weak symbol, of
  which the linker keeps one copy for the whole program, perhaps the AVX-512 one. A kernel's own functions are safe,
  for their names contain the kernel's namespace. POLHODE_INLINE (src/polhode/spatial/inline.h) keeps the others away.
- A global variable's constructor runs before main.

    tools/check_kernel_symbols.py [--nm NM] OBJECT...

Looks at those objects that are kernels_avx2 or kernels_avx512, and fails if there are none. Weak data is no concern: it is the
same whatever the instruction set.
"""

import argparse
import pathlib
import re
import subprocess
import sys

KERNEL = re.compile(r"kernels_(avx2|avx512)\b")
# Thrown only from a variant without a value, which no joint is; what() and the destructor are a constant and a return.
ALLOWED = re.compile(r"std::bad_variant_access::|std::__throw_bad_variant_access\(")
INITIALIZER = re.compile(r"_GLOBAL__sub_I|__cxx_global_var_init|__static_initialization_and_destruction")


def symbols(nm, objectfile):
    """Defined symbols as (kind, demangled name); kinds as nm's manual has them."""
    listing = subprocess.run([nm, "--demangle", "--defined-only", objectfile], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        fields = line.split(maxsplit=2)
        if len(fields) == 3:
            yield fields[1], fields[2]


def leaks(isa, kind, name):
    if INITIALIZER.search(name):
        return "runs before main; kernels must have no global objects"
    if kind == "W" and not re.search(rf"polhode::(linear|tree|variational)::{isa}::", name) and not ALLOWED.search(name):
        return "weak, and other files may share it; declare it POLHODE_INLINE or put it in inline namespace POLHODE_ISA"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nm", default="nm")
    parser.add_argument("objects", nargs="+", metavar="OBJECT")
    arguments = parser.parse_args()

    checked = failures = 0
    for objectfile in arguments.objects:
        match = KERNEL.search(pathlib.Path(objectfile).name)
        if not match:
            continue
        checked += 1
        for kind, name in symbols(arguments.nm, objectfile):
            reason = leaks(match.group(1), kind, name)
            if reason:
                failures += 1
                print(f"{pathlib.Path(objectfile).name}: {name}: {reason}")
    print(f"{checked} kernel objects, {failures} symbols that leak")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
