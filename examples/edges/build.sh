#!/usr/bin/env bash
# Builds the workers of this folder, with the edges of their libraries, and describes them. Usage:
# examples/edges/build.sh [DIR [LIBTIFF]]; DIR is target/edges by default, LIBTIFF a source tree of libtiff, without which
# there is stb_image alone. Needs clang; libstb-dev; for libtiff cmake, zlib1g-dev, libjpeg-dev and liblzma-dev.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
runtime=$here/../../clients/edges
dir=${1:-target/edges}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
edges=(-g -O1 -fsanitize-coverage=trace-pc-guard,pc-table)
CC=${CC:-clang}

describe() { # NAME SUMMARY FORMATS
    cat > "$dir/$1.toml" <<END
name = "$1"
summary = "$2"
decoder = "own"
formats = [$3]

[run]
worker = ["{here}/$1"]
edges = true

[[ignores]]
what = "orientation"
reason = "the interface does not exchange width and height"
END
}

"$CC" -c "$runtime/repfuzz_edges.c" -o "$dir/repfuzz_edges.o"

printf '#define STB_IMAGE_IMPLEMENTATION\n#include "stb_image.h"\n' > "$dir/stb_image.c"
"$CC" "${edges[@]}" -w -I/usr/include/stb -c "$dir/stb_image.c" -o "$dir/stb_image.o"
"$CC" -I/usr/include/stb -I"$runtime" "$here/stb.c" "$dir/stb_image.o" "$dir/repfuzz_edges.o" -o "$dir/stb-edges" -lm -ldl
describe stb-edges "stb_image, with its edges" '"bmp", "gif", "png", "ppm", "pgm", "pbm", "pam", "tga"'

if [ -n "${2:-}" ]; then
    cmake -S "$2" -B "$dir/libtiff" -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=None \
        -DCMAKE_CXX_COMPILER="$CC++" -DCMAKE_C_FLAGS="${edges[*]}" \
        -DCMAKE_EXE_LINKER_FLAGS="-fno-sanitize-link-runtime $dir/repfuzz_edges.o -ldl" \
        -DBUILD_SHARED_LIBS=OFF -Dtiff-tools=OFF -Dtiff-tests=OFF -Dtiff-docs=OFF -Dtiff-contrib=OFF -Dcxx=OFF \
        -Djbig=OFF -Dlerc=OFF > "$dir/libtiff.log"
    cmake --build "$dir/libtiff" --target tiff -j2 >> "$dir/libtiff.log"
    "$CC" -I"$2/libtiff" -I"$dir/libtiff/libtiff" -I"$runtime" "$here/tiff.c" "$dir/libtiff/libtiff/libtiff.a" \
        "$dir/repfuzz_edges.o" -o "$dir/tiff-edges" -lm -ldl -lz -ljpeg -llzma -lzstd -lwebp -ldeflate
    describe tiff-edges "libtiff's RGBA interface, with its edges" '"tif"'
fi
