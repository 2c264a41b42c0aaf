/** Height of the water at a minute between two tides. */
export function heightAt(before, after, minute) {
  const part = (minute - before.minute) / (after.minute - before.minute);
  return before.height + part * (after.height - before.height);
}

/** Windows of time in which there is more water than a boat needs. */
export function windows(tides, draught) {
  const found = [];
  let from = null;
  for (const { minute, height } of tides) {
    if (height > draught && from === null) from = minute;
    if (height <= draught && from !== null) {
      found.push({ from, to: minute });
      from = null;
    }
  }
  return found;
}
