#!/bin/bash
# Runs in the working directory of the environment; the reward is 1 where every test passes.
if node --test /tests/tides.test.mjs; then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi
