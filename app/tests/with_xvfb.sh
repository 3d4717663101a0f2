#!/bin/sh
# Runs a command on a virtual display: with_xvfb.sh COMMAND [ARGUMENT...]
# Returns the command's exit code, or 77 (skipped, for CTest) if Xvfb is not installed.
set -u

if ! command -v Xvfb >/dev/null 2>&1; then
  echo "with_xvfb.sh: Xvfb is not installed, so nothing was run" >&2
  exit 77
fi

folder=$(mktemp -d) || exit 1
server=
command=
tidy_up() {
  [ -n "$command" ] && kill "$command" 2>/dev/null
  [ -n "$server" ] && kill "$server" 2>/dev/null && wait "$server" 2>/dev/null
  rm -rf "$folder"
}
trap tidy_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# The server picks a free display itself and reports it, so that tests can run in parallel.
mkfifo "$folder/display" || exit 1
display=
for attempt in 1 2 3 4 5; do
  Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp -noreset \
    3>"$folder/display" >"$folder/log" 2>&1 &
  server=$!
  if read -r display <"$folder/display" && [ -n "$display" ]; then
    break
  fi
  wait "$server"
  server=
  display=
  sleep "$attempt"
done
if [ -z "$display" ]; then
  echo "with_xvfb.sh: Xvfb does not start:" >&2
  cat "$folder/log" >&2
  exit 1
fi

unset WAYLAND_DISPLAY
# Windows of other tests, and those of the person who runs them, are not reached.
unset ATTENTION_LAB_SOCKET
export XDG_RUNTIME_DIR="$folder"
DISPLAY=":$display" "$@" 3>&- &
command=$!
wait "$command"
status=$?
command=
exit "$status"
