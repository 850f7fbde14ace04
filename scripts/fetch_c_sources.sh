#!/usr/bin/env bash
# Fetches Debian's source packages that docs/program.md measures the C front end on, and configures those whose headers
# need it. Usage: scripts/fetch_c_sources.sh [DIR]; DIR is target/c-sources by default. Nothing is installed, and nothing
# is written outside of DIR. Needs apt, dpkg-dev and a C compiler.
set -euo pipefail

dir=${1:-target/c-sources}
mkdir -p "$dir/apt/lists/partial"
dir=$(cd "$dir" && pwd)
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

# The lists of source packages, in DIR alone.
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb-src [signed-by=$keyring] $mirror $suite main" > "$dir/apt/sources.list"
apt=(-o "Dir::Etc::SourceList=$dir/apt/sources.list" -o "Dir::Etc::SourceParts=-" -o "Dir::State::Lists=$dir/apt/lists"
     -o "Dir::Cache=$dir/apt" -o "APT::Sandbox::User=root")
apt-get "${apt[@]}" update -qq

cd "$dir"
for package in gzip bzip2 tiff leptonlib libgd2 libsdl2-image netpbm-free graphicsmagick; do
    if compgen -G "${package%-free}*/" > /dev/null || compgen -G "$package-*/" > /dev/null; then
        continue
    fi
    apt-get "${apt[@]}" source -qq --only-source "$package" || echo "not fetched: $package" >&2
done

# Headers that configure writes. A package that cannot be configured is measured without them.
for folder in gzip-* leptonlib-* libgd2-* graphicsmagick-*; do
    [ -x "$folder/configure" ] || continue
    compgen -G "$folder/config.status" > /dev/null && continue
    (cd "$folder" && ./configure -q > configure.out 2>&1) || echo "not configured: $folder" >&2
done

# gnulib's headers are made by make. Debian's patches are newer than what autoconf made, which need not be made again.
for folder in gzip-*; do
    [ -f "$folder/Makefile" ] && [ ! -f "$folder/version.h" ] || continue
    none=(ACLOCAL=: AUTOCONF=: AUTOHEADER=: AUTOMAKE=:)
    (cd "$folder" && make -s -C lib "${none[@]}" && make -s "${none[@]}" version.h) > "$folder/make.out" 2>&1 ||
        echo "not made: $folder" >&2
done

# netpbm is configured by a dialog. Its headers are included as they will be installed.
for folder in netpbm-free-*; do
    [ -d "$folder" ] && [ ! -d "$folder/importinc" ] || continue
    cp "$folder/config.mk.in" "$folder/config.mk"
    (cd "$folder" && make -s pm_config.h inttypes_netpbm.h version.h > make.out 2>&1) || echo "not made: $folder" >&2
    mkdir -p "$folder/importinc/netpbm"
    cp "$folder"/*.h "$folder"/lib/*.h "$folder"/lib/util/*.h "$folder/importinc/netpbm/"
done

# libtiff has no configure in Debian's package: headers from their templates, with what this system has.
for folder in tiff-*; do
    [ -f "$folder/libtiff/tif_config.h.in" ] && [ ! -f "$folder/libtiff/tif_config.h" ] || continue
    for template in tif_config.h tiffconf.h; do
        while IFS= read -r line; do
            name=${line#\#undef }
            case $line in
                "#undef HAVE_"*_H)
                    header=$(sed 's/^HAVE_//; s/_H$/.h/; s/^SYS_/sys\//; s/^GL_/GL\//' <<< "$name" | tr '[:upper:]' '[:lower:]')
                    if echo "#include <$header>" | cc -E - > /dev/null 2>&1; then line="#define $name 1"; fi ;;
                "#undef SIZEOF_SIZE_T") line="#define $name 8" ;;
                "#undef STRIP_SIZE_DEFAULT") line="#define $name 8192" ;;
                "#undef HOST_FILLORDER") line="#define $name FILLORDER_LSB2MSB" ;;
                "#undef HOST_BIGENDIAN") line="#define $name 0" ;;
                "#undef TIFF_MAX_DIR_COUNT") line="#define $name 1048576" ;;
                "#undef TIFF_SSIZE_T") line="#define $name int64_t" ;;
                "#undef TIFF_INT"*_T | "#undef TIFF_UINT"*_T)
                    line="#define $name $(sed 's/^TIFF_//' <<< "$name" | tr '[:upper:]' '[:lower:]')" ;;
                "#undef "*_SUPPORT | "#undef HAVE_"[A-Z]*) line="#define $name 1" ;;
            esac
            printf '%s\n' "$line"
        done < "$folder/libtiff/$template.in" > "$folder/libtiff/$template"
    done
done
ls -d -- */
