#!/bin/sh
# Shows that the sanitizers find what is planted in `Planted.swift`, a race beside a Mutex under
# contention among it, and that this Mutex alone is not taken for one.
set -eu

cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tools=$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")

refuse() {
  echo "$1" >&2
  cat "$work/said" >&2
  exit 1
}

build() { # SANITIZER, and what is linked with it
  sanitizer=$1
  shift
  # gold warns of every symbol of the address sanitizer.
  "$tools/swiftc" -swift-version 6 -parse-as-library -g -sanitize="$sanitizer" \
    Planted.swift "$@" -o "$work/$sanitizer" >"$work/said" 2>&1 || refuse "not built"
}

# On a busy machine the threads of a race may come one after the other: then there is none. One of thirty
# runs has to show it.
finds() { # SANITIZER, WHAT, and what it calls that
  runs=30
  while "$work/$1" "$2" >"$work/said" 2>&1; do
    runs=$((runs - 1))
    [ $runs -gt 0 ] || refuse "NOT CAUGHT: the planted $2"
  done
  grep "SUMMARY: .*$3" "$work/said" || refuse "the planted $2 ended in another way"
}

"$tools/clang" -fsanitize=thread -c MutexAnnotations/MutexAnnotations.c -o "$work/annotations.o"
build thread "$work/annotations.o"
build address
finds address overflow heap-buffer-overflow
finds thread race ' race '
"$work/thread" mutex >"$work/said" 2>&1 || refuse "a Mutex is taken for a race"
echo "What was planted is caught, and a contended Mutex is left alone."
