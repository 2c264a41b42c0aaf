/** Lines at the end of a reply in which a number may stand alone. */
const LAST_LINES = 3;

/**
 * Which plan a judge chose, from 0: `SELECTED: n`, else `Plan n`, else a number that stands alone on one of the last three
 * lines, the last such. `null`: none that there is.
 */
export function selectedPlan(reply: string, plans: number): number | null {
  const lines = reply.trim().split("\n").slice(-LAST_LINES);
  const alone = lines.toReversed().map((line) => /^\d+$/.exec(line.trim())?.[0]);
  const found = [/SELECTED:\s*(\d+)/i.exec(reply)?.[1], /Plan\s*(\d+)/i.exec(reply)?.[1], ...alone];
  const numbers = found.flatMap((digits) => (digits === undefined ? [] : [Number(digits)]));
  return numbers.find((number) => number < plans) ?? null;
}
