#!/bin/sh
# Time and peak memory of the baseline command at its limits, one line each.
#
#   cargo build --release && sh benches/limits.sh target/release/git-review-gate
#
# Makes throw-away repositories: 50 changed files, a diff of 15 MB, a pair of snapshots of 30 MiB each,
# a test file of 1.5 MB, and 20,000 tests in one file. Needs git, awk and GNU time.
set -eu
binary=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Commits what stands in the work tree.
commit() {
    git add -A
    git -c user.name=A -c user.email=a@example.org commit -qm "$1"
}

repository() {
    mkdir "$1" && cd "$1"
    git init -q -b main .
    printf '[package]\nname = "a"\nversion = "0.1.0"\n' >Cargo.toml
    mkdir src tests
    : >src/lib.rs
}

# Functions $1 to $2 with $3 statements each; $4 goes into each statement.
functions() {
    awk -v from="$1" -v to="$2" -v count="$3" -v what="$4" 'BEGIN {
        for (n = from; n <= to; n++) {
            printf "/// Computes %d.\npub fn compute_%d(value: u64, other: &str) -> Option<u64> {\n", n, n
            for (s = 0; s < count; s++)
                printf "    let value_%d = other.len() as u64 + value * %d + %s;\n", s, s + n, what
            print "    Some(value)\n}\n"
        }
    }'
}

# Tests 1 to $1 with $2 assertions each; every tenth has $3 of them.
tests() {
    awk -v to="$1" -v count="$2" -v tenth="$3" 'BEGIN {
        for (n = 1; n <= to; n++) {
            printf "#[test]\nfn checks_%d() {\n", n
            for (s = 0; s < (n % 10 ? count : tenth); s++)
                printf "    assert_eq!(compute(%d, \"%d\"), Some(%d));\n", n, s, n + s
            print "}\n"
        }
    }'
}

# Runs a command with its output in the file `answer`, and prints its milliseconds and peak memory in KiB.
once() {
    start=$(date +%s%N)
    # Drift and undecided results are results too.
    command time -f '%M' -o peak "$@" >answer || true
    echo "$((($(date +%s%N) - start) / 1000000)),$(tail -n 1 peak)"
}

# Runs the command and `git diff --numstat -M` by turns, seven times each: median times and the largest peak.
measure() {
    git repack -adq
    ours= theirs=
    for _ in 1 2 3 4 5 6 7; do
        theirs="$theirs $(once git diff --numstat -M HEAD^1 HEAD)"
        ours="$ours $(once "$binary" baseline HEAD^1 --tip --format text)"
    done
    median() {
        printf '%s\n' "$@" | cut -d, -f1 | sort -n | sed -n 4p
    }
    peak() {
        printf '%s\n' "$@" | cut -d, -f2 | sort -n | tail -n 1
    }
    # shellcheck disable=SC2086
    printf '%-34s %6s ms %7s KiB   (git %s ms)   %s\n' "$1" "$(median $ours)" "$(peak $ours)" "$(median $theirs)" \
        "$(head -n 1 answer)"
    cd "$folder"
}

repository small
for file in $(awk 'BEGIN { for (n = 1; n <= 50; n++) print n }'); do
    functions 1 30 6 1 >"src/m$file.rs"
    echo "pub mod m$file;" >>src/lib.rs
done
commit before
for file in $(awk 'BEGIN { for (n = 1; n <= 50; n++) print n }'); do
    functions 2 31 6 1 >"src/m$file.rs"
done
commit after
measure "50 changed files"

repository large
for file in $(awk 'BEGIN { for (n = 1; n <= 165; n++) print n }'); do
    functions 1 40 20 1 >"src/m$file.rs"
    echo "pub mod m$file;" >>src/lib.rs
done
commit before
for file in $(awk 'BEGIN { for (n = 1; n <= 165; n++) print n }'); do
    functions 2 41 20 "$file" >"src/m$file.rs"
done
commit after
lines=$(git diff HEAD^1 HEAD | wc -c)
measure "a diff of $((lines / 1000000)) MB"

repository snapshots
mkdir tests/snapshots
awk 'BEGIN { print "---\nsource: a\n---"; for (n = 0; n < 700000; n++) printf "line %d of a recorded answer, of 45 bytes\n", n }' \
    >tests/snapshots/a.snap
commit before
sed 's/^line 3/row 3/' tests/snapshots/a.snap >new && mv new tests/snapshots/a.snap
commit after
measure "a pair of snapshots, $(($(wc -c <tests/snapshots/a.snap) / 1048576)) MiB"

repository testfile
tests 3200 10 10 >tests/large.rs
commit before
tests 3200 10 9 >tests/large.rs
commit after
measure "a test file of $(($(wc -c <tests/large.rs) / 1000)) kB"

repository manytests
tests 20000 2 2 >tests/many.rs
commit before
tests 20000 2 1 >tests/many.rs
commit after
measure "20,000 tests in one file"
