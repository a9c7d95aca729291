#!/bin/sh
# Runs a sweep in shards with GNU parallel, on one machine. Add --sshloginfile after "parallel" to run it on several
# machines that share the folder. Each shard has at most three attempts.
#
#   ./gnu-parallel.sh plan.yaml store 8
set -eu

plan=${1:?sweep file}
store=${2:?folder of the store}
shards=${3:-8}
# The command can have several words, for example "npx warpool".
warpool=${WARPOOL:-warpool}

$warpool sweep "$plan" --out "$store" --prepare
seq "$shards" | parallel --jobs "${JOBS:-2}" --retries 3 --joblog "$store.joblog" \
  "$warpool sweep '$plan' --out '$store' --shard {}/$shards --workers 1 --quiet" || true
# Completes the store. Prints the missing shards and fails if there are any.
$warpool merge "$store" --shards "$shards"
