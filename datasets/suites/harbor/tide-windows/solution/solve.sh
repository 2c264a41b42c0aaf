#!/bin/bash
set -e
cat > /app/src/tides.mjs <<'JS'
/** Height of the water at a minute between two tides. */
export function heightAt(before, after, minute) {
  const part = (minute - before.minute) / (after.minute - before.minute);
  return before.height + part * (after.height - before.height);
}

/** Minute between two tides at which the water comes to a height. */
function minuteOf(before, after, height) {
  const part = (height - before.height) / (after.height - before.height);
  return before.minute + part * (after.minute - before.minute);
}

/** Windows of time in which there is as much water as a boat needs. */
export function windows(tides, draught) {
  const found = [];
  let from = null;
  for (const [i, tide] of tides.entries()) {
    const before = tides[i - 1];
    const isEnough = tide.height >= draught;
    if (isEnough && from === null)
      from = before === undefined ? tide.minute : Math.ceil(minuteOf(before, tide, draught));
    if (!isEnough && from !== null) {
      found.push({ from, to: Math.floor(minuteOf(before, tide, draught)) });
      from = null;
    }
  }
  if (from !== null) found.push({ from, to: tides.at(-1).minute });
  return found;
}
JS
