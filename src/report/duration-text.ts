const UNITS = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3_600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
] as const;

/** A duration in its two largest units, rounded up: `45 s`, `3 min 5 s`, `2 h 10 min`, `1 d 3 h`. */
export function durationText(durationMs: number): string {
  const seconds = Math.ceil(durationMs / 1_000);
  const at = UNITS.findIndex((unit) => seconds >= unit.seconds);
  const [large, small] = UNITS.slice(at === -1 ? -1 : at);
  if (large === undefined || small === undefined) return `${seconds} s`;
  const inSmall = Math.ceil(seconds / small.seconds);
  const perLarge = large.seconds / small.seconds;
  const rest = inSmall % perLarge;
  return `${Math.floor(inSmall / perLarge)} ${large.name}${rest === 0 ? "" : ` ${rest} ${small.name}`}`;
}
