#!/usr/bin/env bash
# Grades the submission that PrairieLearn has put into /grade/student and writes what its student is shown.
root=${GRADE_ROOT:-/grade}
results=$root/results/results.json
mkdir -p "$root/results"
# This stands there first: however this script ends, it is no student's failure, and costs nobody an attempt.
cp "$root/tests/trouble.json" "$results"
bash "$root/tests/grade_submission" "$root/student" --format "prairielearn=$results"
code=$?
case $code in
0 | 1 | 3 | 4 | 5 | 6) ;; # the result says it
*) cp "$root/tests/trouble.json" "$results" ;;
esac
if [ "$code" -gt 1 ]; then
    echo "Nothing was graded: grade ended with $code, and its reason is above."
fi
