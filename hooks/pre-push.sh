#!/bin/sh
# git review-gate hook pre-push, version 1
# Judges what is pushed, then runs the hook that was here before, if any.
# Take it out again with: git review-gate hooks uninstall
program=@PROGRAM@
if ! [ -x "$program" ]; then
  program=$(command -v git-review-gate) || {
    echo "error: git-review-gate is not there any more, so nothing judged this push" >&2
    echo "hint: install it again, then: git review-gate hooks status" >&2
    exit 1
  }
fi
exec "$program" hook pre-push --chained "$0.review-gate-chained" -- "$@"
