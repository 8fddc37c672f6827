#!/bin/sh
# git review-gate hook post-rewrite, version 1
# Records which commits were rewritten, then runs the hook that was here before, if any.
# Take it out again with: git review-gate hooks uninstall
program=@PROGRAM@
if ! [ -x "$program" ]; then
  program=$(command -v git-review-gate) || {
    echo "warning: git-review-gate is not there any more, so this rewrite was not recorded" >&2
    echo "hint: install it again, then: git review-gate adopt OLD NEW" >&2
    [ ! -x "$0.review-gate-chained" ] || exec "$0.review-gate-chained" "$@"
    exit 0
  }
fi
exec "$program" hook post-rewrite --chained "$0.review-gate-chained" -- "$@"
