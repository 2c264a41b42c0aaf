#!/usr/bin/env bash
# One run in four shares, each on a GPU of its own:
#   sbatch examples/scale/slurm-array.sh
# A share that was killed goes on by the same command. When all are done, on any machine:
#   npx probe merge results/night/share-* --out results/night/whole
#SBATCH --job-name=probe
#SBATCH --array=1-4
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=4
#SBATCH --time=08:00:00
set -euo pipefail

model=${PROBE_MODEL:-qwen}
share="$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"

npx probe run --model "$model" --task CTR,CL,SI --shard "$share" \
  --out "results/night/share-$SLURM_ARRAY_TASK_ID" --quiet "$@"
