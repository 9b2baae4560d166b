#!/usr/bin/env bash
# Grades the handin that lies beside the folder of this script. The last line is the scores, which Autolab reads.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
handin=$(find "$here/.." -maxdepth 1 -name 'handin*' -print -quit)
bash "$here/grade_submission" "${handin:-$here/../handin}" --format autolab >"$printed"
code=$?
if [ "$code" -eq 5 ]; then
    cat "$printed"
    # Every problem gets its zero: the untouched stubs are graded.
    bash "$here/grade_submission" "$here/kit/exercises" --format autolab >"$printed"
    code=$?
fi
if [ "$code" -gt 1 ]; then
    # No scores: Autolab says that the autograder failed, and records none.
    case $code in
    3 | 4 | 5 | 6) cat "$printed" ;; # it says why, and has no scores
    esac                             # part of a grade is none
    echo "Nothing was graded (grade ended with $code): the course's trouble, not yours."
    exit 1
fi
cat "$printed"
