#!/bin/sh
# A sweep as a Slurm array, on a file system that all nodes share. From the folder of the plan:
#
#   warpool sweep plan.yaml --out store --prepare
#   job=$(sbatch --parsable --array=1-8 slurm-array.sh plan.yaml store)
#   sbatch --dependency=afterany:"$job" --wrap "warpool merge store --shards 8"
#
# Tasks that failed, here 3 and 7 of 8, say which shards they are, for the array is another one:
#
#   sbatch --array=3,7 --export=ALL,SHARDS=8 slurm-array.sh plan.yaml store
#
#SBATCH --job-name=warpool
#SBATCH --array=1-8
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=4
#SBATCH --mem=2G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --output=warpool-%A_%a.log
set -eu

plan=${1:?sweep file}
store=${2:?folder of the store}
shard=auto
if [ -n "${SHARDS:-}" ]; then shard="$SLURM_ARRAY_TASK_ID/$SHARDS"; fi

# WARPOOL can be several words: "npx warpool".
exec ${WARPOOL:-warpool} sweep "$plan" --out "$store" --shard "$shard" --workers "${SLURM_CPUS_PER_TASK:-1}" --quiet
