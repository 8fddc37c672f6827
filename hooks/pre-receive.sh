#!/bin/sh
# git review-gate hook pre-receive, version 1
# Judges what this repository receives, then runs the hook that was here before, if any.
# Take it out again with: git review-gate hooks uninstall --pre-receive
program=@PROGRAM@
if ! [ -x "$program" ]; then
  program=$(command -v git-review-gate) || {
    echo "error: git-review-gate is not there any more, so nothing judged this push" >&2
    echo "hint: whoever keeps this repository installs it again" >&2
    exit 1
  }
fi
exec "$program" hook pre-receive --chained "$0.review-gate-chained" -- "$@"
