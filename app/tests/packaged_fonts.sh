#!/bin/sh
# Writes FOLDER/fonts.conf, a configuration of Fontconfig that knows just the fonts that third_party/setup.sh installs,
# and none of the rules of other packages or of the user: packaged_fonts.sh FOLDER
# Pictures and layouts are then the same whatever else is installed. Without dpkg, the fonts are found by their names.
set -eu

folder=$1
root=$(cd "$(dirname "$0")/../.." && pwd -P)
packages=$(sed -n 's/^run  *\(fonts-[a-z-]*\) .*/\1/p' "$root/third_party/setup.sh")
families=$(sed -n 's/^run  *fonts-.* font:\([A-Za-z_]*\) .*/\1/p' "$root/third_party/setup.sh")

# files_of PACKAGE... prints the files of the packages that are installed.
files_of() {
  for package in "$@"; do dpkg-query -L "$package" 2>/dev/null || true; done
}

fonts() {
  # shellcheck disable=SC2086
  if command -v dpkg-query >/dev/null 2>&1; then
    files_of $packages | grep -E '\.(ttf|otf|ttc)$' || true
  else
    for family in $families; do fc-list "$(echo "$family" | tr _ ' ')" file | sed 's/: *$//'; done
  fi | sort -u
}

# The rules that come with Fontconfig itself and with those fonts.
rules() {
  # shellcheck disable=SC2086
  known=$(if command -v dpkg-query >/dev/null 2>&1; then files_of fontconfig-config $packages; fi)
  for rule in /etc/fonts/conf.d/*.conf; do
    case $rule in *-user.conf | *'*'*) continue ;; esac
    if [ -z "$known" ] || printf '%s\n' "$known" | grep -qxF -e "$rule" -e "$(readlink -f "$rule")"; then
      echo "$rule"
    fi
  done
}

list=$(fonts && rules)
if [ -e "$folder/list" ] && [ "$list" = "$(cat "$folder/list")" ]; then exit 0; fi

mkdir -p "$(dirname "$folder")"
new=$(mktemp -d "$folder.XXXXXX")
mkdir "$new/fonts"
fonts | while read -r font; do ln -s "$font" "$new/fonts/"; done
{
  echo '<?xml version="1.0"?>'
  echo '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
  echo '<fontconfig>'
  echo "  <dir>$folder/fonts</dir>"
  echo "  <cachedir>$folder/cache</cachedir>"
  rules | while read -r rule; do echo "  <include ignore_missing=\"yes\">$rule</include>"; done
  echo '</fontconfig>'
} >"$new/fonts.conf"
printf '%s\n' "$list" >"$new/list"
rm -rf "$folder"
mv -T "$new" "$folder" 2>/dev/null || rm -rf "$new"  # another run was faster
