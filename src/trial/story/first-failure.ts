/**
 * Names of failing tests, as runners print them: the lines of TAP and of the reporters of node, vitest, pytest, go and
 * cargo. The first group is the name.
 */
const FAILING: readonly RegExp[] = [
  /^\s*not ok \d+ (?:- )?(?!.*# (?:SKIP|TODO))(.+?)\s*$/,
  /^\s*[✖✗×]\s+(.+?)(?:\s+\(?[\d.]+ ?ms\)?)?\s*$/,
  /^\s*FAIL\s+(.+?)\s*$/,
  /^(?:FAILED|ERROR) (\S+::\S.*?)(?: - .*)?$/,
  /^(\S+::\S.*?) (?:FAILED|ERROR)\b/,
  /^\s*--- FAIL: (\S+)/,
  /^test (\S+) \.\.\. FAILED\s*$/,
];

/** Lines in which a runner says why. */
const REASON = /^\s*(?:(?:E\s+)?[A-Za-z.]*(?:Error|Exception)\b.*|error:\s*(?:['"|>].*)?|.*!==.*|Expected .*)$/;

/** First failure that a runner printed. */
export interface Failure {
  /** Name of the test; `null`: none is named. */
  readonly test: string | null;
  /** First words behind it that say why; `null`: there are none. */
  readonly reason: string | null;
}

/** First failing test in what a runner printed, and why it failed, as far as it says so in a form that is known. */
export function firstFailure(output: string): Failure {
  const lines = output.split("\n");
  for (const [i, line] of lines.entries()) {
    const test = FAILING.map((pattern) => pattern.exec(line)?.[1]).find((name) => name !== undefined);
    if (test !== undefined) return { test, reason: firstReason(lines.slice(i)) ?? firstReason(lines) };
  }
  return { test: null, reason: firstReason(lines) };
}

function firstReason(lines: readonly string[]): string | null {
  const at = lines.findIndex((line) => REASON.test(line));
  if (at === -1) return null;
  // Of a block of YAML the words stand below.
  const words = lines.slice(at).map((line) =>
    line
      .trim()
      .replace(/^E\s+/, "")
      .replace(/^error:\s*(?:\|-?|>-?)?\s*/, ""),
  );
  const [first, second] = words.filter((line) => line !== "");
  return first === undefined ? null : first.endsWith(":") && second !== undefined ? `${first} ${second}` : first;
}
