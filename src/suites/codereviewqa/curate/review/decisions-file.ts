import { messageOf, ProbeError } from "../../../../base/errors.js";
import { shorten } from "../../../../base/text.js";
import { type FileLine, readLines } from "../../../../store/lines.js";
import { type Decision, header, type ReviewHeader, record } from "./decision.js";

/** What a decisions file holds. */
export interface DecisionsFile {
  readonly path: string;
  readonly header: ReviewHeader;
  /** By example; the last one of each. */
  readonly decisions: ReadonlyMap<string, Decision>;
  /** Notes about examples that are not decided yet, by example. */
  readonly notes: ReadonlyMap<string, string>;
  /** Bytes of whole lines: where the next one begins. */
  readonly length: number;
  /** Bytes after them, which a kill left without their line end. */
  readonly tornBytes: number;
}

/**
 * Reads a file that `probe dataset review` wrote.
 * @throws ProbeError `bad_input` when it is no such file or a whole line is damaged
 */
export async function readDecisions(path: string): Promise<DecisionsFile> {
  let first: ReviewHeader | null = null;
  const decisions = new Map<string, Decision>();
  const notes = new Map<string, string>();
  let length = 0;
  let tornBytes = 0;
  for await (const line of openLines(path)) {
    if (!line.terminated) {
      tornBytes = line.bytes.length;
      break;
    }
    length = line.offset + line.bytes.length + 1;
    if (first === null) {
      first = parseHeader(path, line);
      continue;
    }
    const found = parseRecord(path, line);
    if (found.kind === "decision") decisions.set(found.example_id, found);
    else notes.set(found.example_id, found.note);
  }
  if (first === null) throw notDecisions(path, tornBytes === 0 ? "an empty file" : "no whole line");
  for (const id of decisions.keys()) notes.delete(id);
  return { path, header: first, decisions, notes, length, tornBytes };
}

async function* openLines(path: string): AsyncGenerator<FileLine> {
  try {
    yield* readLines(path);
  } catch (cause) {
    throw notDecisions(path, `that it cannot be read (${shorten(messageOf(cause), 1000)})`, cause);
  }
}

function parseHeader(path: string, { bytes }: FileLine): ReviewHeader {
  try {
    return header.parse(JSON.parse(bytes.toString("utf8")));
  } catch (cause) {
    throw notDecisions(path, `another first line: ${shorten(bytes.toString("utf8"), 60)}`, cause);
  }
}

function parseRecord(path: string, { number, bytes }: FileLine) {
  try {
    return record.parse(JSON.parse(bytes.toString("utf8")));
  } catch (cause) {
    throw new ProbeError(
      "bad_input",
      `${path}:${number}: expected a decision, found a damaged line: ` +
        `${shorten(bytes.toString("utf8"), 60)}. Repair or remove that line.`,
      { cause },
    );
  }
}

function notDecisions(path: string, found: string, cause?: unknown): ProbeError {
  return new ProbeError(
    "bad_input",
    `Expected a decisions file of \`probe dataset review\` at ${path}, found ${found}.`,
    { cause },
  );
}
