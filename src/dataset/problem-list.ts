import { type DataProblem, describeProblem } from "./problem.js";

/** Lines that are named of those that share a problem. */
const NAMED_LINES = 5;

interface Group {
  readonly first: DataProblem;
  /** The first ones. */
  readonly lines: number[];
  /** Of the last problem. */
  last: number;
  count: number;
  /** In how many lines it is. */
  lineCount: number;
}

/** The problems of a file, however many: those of one field that want the same are told once, with their number. */
export class ProblemList {
  readonly #groups = new Map<string, Group>();
  /** All problems. */
  total = 0;

  add(problems: readonly DataProblem[]): void {
    for (const problem of problems) {
      // An item of a list has the problem of its list.
      const key = `${problem.file}\0${problem.field.replaceAll(/\[\d+\]/g, "[]")}\0${problem.expected}`;
      const group = this.#groups.get(key) ?? { first: problem, lines: [], last: 0, count: 0, lineCount: 0 };
      group.count++;
      if (group.last !== problem.line) {
        group.lineCount++;
        if (group.lines.length < NAMED_LINES) group.lines.push(problem.line);
      }
      group.last = problem.line;
      this.#groups.set(key, group);
      this.total++;
    }
  }

  /** A line a kind of problem, as its first one reads; at most so many. */
  text(most: number): string {
    const groups = [...this.#groups.values()];
    const rest = groups.slice(most).reduce((sum, { count }) => sum + count, 0);
    const shown = groups.slice(0, most).map(describeGroup);
    return [...shown, ...(rest > 0 ? [`… and ${rest} more problems of other kinds`] : [])].join("\n");
  }
}

/** Such as `reviews.jsonl:1: lang: expected a string, found nothing (200 ×: lines 1, 2, 3, 4, 5 …)`. */
function describeGroup({ first, lines, count, lineCount }: Group): string {
  if (count === 1) return describeProblem(first);
  const more = lineCount > lines.length ? " …" : "";
  return `${describeProblem(first)} (${count} ×: ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more})`;
}
