#!/bin/sh
# A sweep in shards by GNU parallel: on one machine or, with --sshloginfile behind "parallel", on several that share the
# folder. A shard that fails is tried three times.
#
#   ./gnu-parallel.sh plan.yaml store 8
set -eu

plan=${1:?sweep file}
store=${2:?folder of the store}
shards=${3:-8}
# It can be several words: "npx warpool".
warpool=${WARPOOL:-warpool}

$warpool sweep "$plan" --out "$store" --prepare
seq "$shards" | parallel --jobs "${JOBS:-2}" --retries 3 --joblog "$store.joblog" \
  "$warpool sweep '$plan' --out '$store' --shard {}/$shards --workers 1 --quiet" || true
# Says what is missing, and fails if anything is.
$warpool merge "$store" --shards "$shards"
