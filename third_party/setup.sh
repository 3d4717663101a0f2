#!/bin/sh
# Installs missing packages, builds, and runs attention-lab or all tests.
set -eu

usage() {
  cat >&2 <<'END'
usage: sh third_party/setup.sh run [ARG...]       build and run attention-lab ARG...
       sh third_party/setup.sh test [ARG...]      build everything and run all tests; ARGs are passed to ctest
       sh third_party/setup.sh web                make the page that computes, build/web/attention-lab.html
       sh third_party/setup.sh package            make a Debian package, build/package/attention-lab_VERSION_amd64.deb
       sh third_party/setup.sh install [GROUP]    only install the packages of run, test, ci or package
Set ATTENTION_LAB_PRESET to use a CMake preset other than release.
END
  exit 2
}

# All packages, one per line: the first group that needs it (test, web and package include run, ci includes all but package), its
# Debian name, how to detect it (a command, a header, a path or a font), and what it is for.
packages() {
  cat <<'END'
run   g++                     g++                          compiler for C++20
run   cmake                   cmake                        build system, 3.25 or newer
run   ninja-build             ninja                        runs the build
run   pkg-config              pkg-config                   finds libraries
run   python3-glad            glad                         generates the OpenGL loader
run   libimgui-dev            imgui/imgui.h                widgets of the window
run   libstb-dev              stb/stb_truetype.h           font code that the widgets use
run   libfreetype-dev         freetype2/ft2build.h         font rendering of the widgets
run   libglfw3-dev            GLFW/glfw3.h                 window, mouse and keyboard
run   libgl-dev               GL/gl.h                      OpenGL
run   libgl1-mesa-dri         -                            OpenGL drivers, including software rendering
run   libeigen3-dev           eigen3/Eigen/Core            matrices
run   libdnnl-dev             oneapi/dnnl/dnnl.h           large matrix products
run   nlohmann-json3-dev      nlohmann/json.hpp            JSON
run   rapidjson-dev           rapidjson/reader.h           parses JSON
run   libcli11-dev            CLI/CLI.hpp                  command line
run   libexpected-dev         tl/expected.hpp              values or errors
run   libicu-dev              unicode/brkiter.h            words and characters of every script
run   libonig-dev             oniguruma.h                  patterns of tokenizers
run   libzip-dev              zip.h                        .npz files
run   libcurl4-openssl-dev    curl/curl.h                  downloads of models
run   libmicrohttpd-dev       microhttpd.h                 serves the page on this machine
run   libcsv-dev              csv.h                        matrices as CSV
run   libmd4c-dev             md4c.h                       Markdown of lessons
run   zlib1g-dev              zlib.h                       checksums
run   libpng-dev              png.h                        PNG images
run   libwebp-dev             webp/mux.h                   animated WebP images
run   libgif-dev              gif_lib.h                    animated GIF images
run   libcairo2-dev           cairo/cairo.h                figures
run   libpango1.0-dev         pango-1.0/pango/pango.h      text in figures and labels
run   libqpdf-dev             qpdf/QPDF.hh                 embedded files in PDF
run   libfontconfig-dev       fontconfig/fontconfig.h      finds fonts
run   libglib2.0-dev          glib-2.0/gio/gio.h           file dialogs of the desktop
run   libxcb1-dev             xcb/xcb.h                    images on the clipboard
run   libgtest-dev            gtest/gtest.h                tests
run   libgmock-dev            gmock/gmock.h                matchers for tests
run   libbenchmark-dev        benchmark/benchmark.h        benchmarks
run   fontconfig              fc-list                      index of the installed fonts
run   fonts-inter             font:Inter                   text
run   fonts-jetbrains-mono    font:JetBrains_Mono          numbers
run   fonts-dejavu-core       font:DejaVu_Sans             mathematics
run   fonts-dejavu-extra      font:DejaVu_Serif            mathematics in italics
run   fonts-liberation        font:Liberation_Sans         text in figures
run   fonts-noto-core         font:Noto_Sans               tokens in most scripts
run   fonts-droid-fallback    font:Droid_Sans_Fallback     Chinese, Japanese and Korean tokens
run   fonts-noto-color-emoji  font:Noto_Color_Emoji        emoji
test  xvfb                    Xvfb                         display for the window tests
test  xdotool                 xdotool                      mouse and keyboard for the window tests
test  imagemagick             import                       screenshots for the window tests
test  dbus-daemon             dbus-daemon                  message bus for the file dialog tests
test  xclip                   xclip                        reads and sets the clipboard in the window tests
test  locales                 /usr/share/i18n/locales      a locale with a decimal comma, for tests
test  poppler-utils           pdftotext                    checks PDF figures in their tests
test  strace                  strace                       makes saves fail or die halfway, for tests
test  libxml2-utils           xmllint                      checks SVG figures in their tests
test  python3-numpy           python3                      exchanges files with the program, in tests
test  python3-jsonschema      python3                      checks sessions against their schema
test  python3-xlib            python3                      asks the display about windows, in tests
test  desktop-file-utils      desktop-file-validate        checks the desktop entry
test  appstream               appstreamcli                 checks the description for software centres
test  shared-mime-info        update-mime-database         finds the types of files, in their tests
test  libglib2.0-bin          gio                          asks for the type of a file, in their tests
test  man-db                  man                          reads the man page, in its test
test  librsvg2-bin            rsvg-convert                 draws the icon, in its test
test  zsh                     zsh                          completions, in their test
test  fish                    fish                         completions, in their test
web   clang-19                clang++-19                   compiles for WebAssembly
web   lld-19                  wasm-ld-19                   links for WebAssembly
web   libc++-19-dev-wasm32    /usr/lib/llvm-19/include/wasm32-wasi/c++/v1/vector its C++ library
web   libclang-rt-19-dev-wasm32 /usr/lib/llvm-19/lib/clang/19/lib/wasi its runtime
web   wasi-libc               /usr/include/wasm32-wasi     its C library
web   binaryen                wasm-opt                     makes the page smaller
web   nodejs                  node                         runs tests in WebAssembly
web   node-qrcode-generator   /usr/share/javascript/qrcode-generator/qrcode.js QR codes of links
package librsvg2-bin          rsvg-convert                 draws the icons in all sizes
package dpkg-dev              dpkg-shlibdeps               finds the packages that the program needs
package file                  file                         tells libraries from other files
ci    git                     git                          lists the source files
ci    clang-format-14         clang-format-14              formatting of the source
ci    clang-tidy-14           clang-tidy-14                static analysis of the source
ci    chromium                chromium                     shows HTML pages in their tests
ci    chromium-driver         chromedriver                 drives the browser in the tests of HTML pages
ci    python3-selenium        python3                      talks to the browser's driver in those tests
ci    node-typescript         tsc                          checks the types of scripts
ci    texlive-latex-extra     pdflatex                     compiles LaTeX figures in their tests
ci    texlive-luatex          /usr/share/texlive/texmf-dist/tex/luatex/luaotfload fonts for LuaLaTeX
ci    texlive-pictures        /usr/share/texlive/texmf-dist/tex/latex/pgf      drawing in LaTeX figures
ci    texlive-latex-recommended /usr/share/texlive/texmf-dist/tex/latex/fontspec fonts in LaTeX figures
ci    texlive-fonts-recommended /usr/share/texlive/texmf-dist/fonts/tfm/adobe  more fonts in LaTeX figures
END
}

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

# wanted GROUP prints the package lines that GROUP needs, without the group.
wanted() {
  case $1 in
    run) groups='run' ;;
    test) groups='run test' ;;
    web) groups='run web' ;;
    ci) groups='run test web ci' ;;
    package) groups='run package' ;;
    *) usage ;;
  esac
  packages | while read -r group rest; do
    case " $groups " in *" $group "*) printf '%s\n' "$rest" ;; esac
  done
}

# present PROBE checks for a package by its contents, on systems without dpkg.
present() {
  case $1 in
    -) true ;;
    font:*) fc-list "$(printf '%s' "${1#font:}" | tr _ ' ')" 2>/dev/null | grep -q . ;;
    /*) [ -e "$1" ] ;;
    *.h | *.hpp | */*) [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ] ;;
    *) have "$1" ;;
  esac
}

# missing GROUP prints the lines of `wanted GROUP` whose package is not installed.
missing() {
  list=$(wanted "$1")
  installed=
  if have dpkg-query; then
    # Package names contain no spaces, so word splitting is safe.
    # shellcheck disable=SC2046
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' \
      $(printf '%s\n' "$list" | while read -r package rest; do echo "$package"; done) 2>/dev/null |
      sed -n 's/^installed //p' | tr '\n' ' ') || true
  fi
  printf '%s\n' "$list" | while read -r package probe purpose; do
    if have dpkg-query; then
      case " $installed" in *" $package "*) continue ;; esac
    elif present "$probe"; then
      continue
    fi
    printf '%s %s\n' "$package" "$purpose"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# quietly COMMAND... runs COMMAND and shows the end of its output only if it fails.
quietly() {
  log=$(mktemp)
  if "$@" >"$log" 2>&1; then rm -f "$log"; return 0; else status=$?; fi
  tail -n 40 "$log" >&2
  rm -f "$log"
  return "$status"
}

install_packages() {
  lacking=$(missing "$1")
  [ -n "$lacking" ] || return 0
  say 'missing packages (Debian name, purpose):'
  printf '%s\n' "$lacking" | while read -r package purpose; do
    printf '  %-23s %s\n' "$package" "$purpose" >&2
  done
  have apt-get || die 'apt-get was not found: install these packages by hand, under the names they have on this system, and try again'
  names=$(printf '%s\n' "$lacking" | cut -d ' ' -f 1 | tr '\n' ' ')
  [ "$(id -u)" -eq 0 ] || have sudo || die "sudo was not found: run as root: apt-get install $names"
  say 'installing them with apt-get; the first time this takes a few minutes'
  # An unreachable package source may not matter; if it does, the installation fails.
  quietly as_root apt-get -q update || true
  # shellcheck disable=SC2086
  quietly as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 --no-install-recommends install $names ||
    die 'apt-get could not install them (see above): check the network connection and the package sources'
}

# hint_without_display says what works where no window can be opened, unless the first argument is a command
# that needs none.
hint_without_display() {
  [ -z "${DISPLAY-}${WAYLAND_DISPLAY-}" ] || return 0
  case ${1-} in
    apply | attribute | check | compute | convert | examples | explain | export | import | lesson | lessons | link | model | models | predict | serve | tokenize | -h | --help | --version) return 0 ;;
  esac
  say 'there is no display for the window; these work without one, once it is built:'
  for arguments in 'export refer -o heads.png' 'explain refer --row it --col animal' 'compute refer -o stages.npz'; do
    printf '  build/%s/bin/attention-lab %s\n' "$preset" "$arguments" >&2
  done
  printf '  xvfb-run -a build/%s/bin/attention-lab   (the window itself, on a virtual display; Debian package xvfb)\n' "$preset" >&2
}

# configure prepares $build, unless an earlier run did so and neither the folder nor the presets changed.
configure() {
  if [ -e "$build/build.ninja" ] && grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt" &&
    [ -z "$(find "$root/CMakePresets.json" -newer "$build/build.ninja")" ]; then
    return 0
  fi
  quietly cmake --fresh --preset "$preset" -S "$root" || die 'configuring failed (see above)'
}

# build TARGET builds it, and prints a message only if there is something to build. A dry run cannot tell,
# because it always considers the list of files changed. Shows progress on a terminal.
build() {
  configure
  terminal=0
  [ ! -t 2 ] || terminal=1
  { cmake --build "$build" --target "$1" 2>&1 && echo 'status 0' || echo 'status 1'; } |
    awk -v what="setup: building $1; the first time this takes a few minutes" -v terminal="$terminal" '
      /^status [01]$/ { if (said && terminal) print ""; exit $2 }
      /^\[[0-9]+\/[0-9]+\] Re-(checking|running)/ || /^ninja: (no work|Entering)/ || /^-- / { next }
      /^\[[0-9]+\/[0-9]+\]/ {
        if (!said++) { print what; fflush() }
        if (terminal) { printf "\r%.79s\033[K", $0; fflush() }
        next
      }
      { print; fflush() }' >&2 || die 'building failed (see above)'
}

[ $# -gt 0 ] || usage
verb=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd -P)
preset=${ATTENTION_LAB_PRESET:-release}
build=$root/build/$preset

case $verb in
  run)
    [ "${1-}" != -- ] || shift
    hint_without_display "$@"
    install_packages run
    build attention-lab
    exec "$build/bin/attention-lab" "$@"
    ;;
  test)
    install_packages test
    build all
    cd "$root"
    # One more than processors: tests of the window wait for much of their time.
    exec ctest --preset "$preset" --parallel "$(($(getconf _NPROCESSORS_ONLN) + 1))" "$@"
    ;;
  web)
    install_packages web
    preset=web
    build=$root/build/$preset
    build web_page
    say "made build/$preset/attention-lab.html"
    ;;
  package)
    install_packages package
    preset=package
    build=$root/build/$preset
    [ -e "$root/build/web/attention-lab.html" ] ||
      say 'without the page that computes: run "setup.sh web" first for a package with it'
    build package
    say "made $(ls "$build"/attention-lab_*.deb)"
    ;;
  install)
    install_packages "${1-run}"
    ;;
  *)
    usage
    ;;
esac
