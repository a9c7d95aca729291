#!/bin/sh
# Runs a sweep as a Slurm job array, on a shared file system. Start it in the folder of the sweep file:
#
#   warpool sweep plan.yaml --out store --prepare
#   job=$(sbatch --parsable --array=1-8 slurm-array.sh plan.yaml store)
#   sbatch --dependency=afterany:"$job" --wrap "warpool merge store --shards 8"
#
# Repeat failed tasks, here 3 and 7 of 8. SHARDS is the number of all shards, because the new array has fewer tasks:
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

# The environment variable WARPOOL is the command; it can have several words, for example "npx warpool".
exec ${WARPOOL:-warpool} sweep "$plan" --out "$store" --shard "$shard" --workers "${SLURM_CPUS_PER_TASK:-1}" --quiet
