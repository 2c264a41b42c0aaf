import { badInput } from "../../base/errors.js";
import { ProblemList } from "../../dataset/problem.js";
import { readTriples, type TripleLine } from "../../dataset/triple.js";

const MAX_SHOWN_PROBLEMS = 20;

/** Treatment of invalid lines. */
interface InvalidLines {
  readonly skip: boolean;
  readonly warn: (message: string) => void;
}

/** The code reviews of a JSONL file for a command: `soundLines` of it. */
export function reviewLines(path: string, invalidLines: InvalidLines): AsyncGenerator<TripleLine> {
  return soundLines(path, readTriples(path), invalidLines);
}

/**
 * Passes on the code reviews of a file for a command. Invalid lines are passed on when they are to be skipped, after the last
 * line with a warning; else the stream ends with an error, so that what is being written of it is never kept.
 * @throws ProbeError `bad_input` when there are invalid lines and they are not to be skipped, or no sound line at all
 */
export async function* soundLines(
  path: string,
  lines: AsyncIterable<TripleLine>,
  invalidLines: InvalidLines,
): AsyncGenerator<TripleLine> {
  const problems = new ProblemList();
  let sound = 0;
  let invalid = 0;
  for await (const line of lines) {
    if (line.status === "invalid") {
      invalid++;
      problems.add(line.problems);
    } else sound++;
    if (line.status !== "invalid" || invalidLines.skip) yield line;
  }
  if (invalid > 0) reportInvalid(problems.text(MAX_SHOWN_PROBLEMS), invalid, sound, invalidLines);
  else if (sound === 0) {
    throw badInput(`Expected at least one code review in ${path}, found an empty file.`);
  }
}

function reportInvalid(list: string, invalid: number, sound: number, { skip, warn }: InvalidLines): void {
  const records = `${invalid} invalid record${invalid === 1 ? "" : "s"}`;
  if (skip && sound > 0) {
    warn(`${list}\nSkipped ${records} (--skip-invalid).`);
    return;
  }
  const advice = sound > 0 ? " Correct them, or leave these records out with --skip-invalid." : "";
  throw badInput(`${list}\nFound ${records}; nothing was written.${advice}`);
}
