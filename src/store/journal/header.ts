import { z } from "zod";
import { badInput, type ProbeError } from "../../base/errors.js";
import { type Bytes, jsonValue, shorten } from "../../base/text.js";
import { differences, type WorkIdentity, workIdentity } from "../identity.js";
import type { JournalCodec } from "./codec.js";

const VERSION = 2;

const headerSchema = z.strictObject({ journal: z.string(), version: z.number(), identity: workIdentity });
const factsSchema = z.looseObject({ kind: z.string() });

/** Form of a journal. Version 1: by earlier versions of this program, without checksums. */
export interface JournalForm {
  readonly version: 1 | 2;
  /** True if the first line identifies the work; else it is a record. */
  readonly hasHeader: boolean;
}

/** Members of a codec that messages need. */
type Described = Pick<JournalCodec<unknown>, "kind" | "journal" | "version1" | "decode">;

/** The first line of a new journal. */
export function headerLine(kind: string, identity: WorkIdentity): string {
  return JSON.stringify({ journal: kind, version: VERSION, identity });
}

/**
 * Reads the first line of a journal.
 * @param identity of the work that it must belong to; `null`: not checked
 * @throws ProbeError `bad_input` when it belongs to other work, naming the differences, or is no such journal
 */
export function readForm(path: string, codec: Described, bytes: Bytes, identity: WorkIdentity | null): JournalForm {
  const value = jsonValue(bytes.toString("utf8"));
  const header = headerSchema.safeParse(value);
  if (header.success) {
    const { journal, version, identity: recorded } = header.data;
    if (journal !== codec.kind) throw notJournal(path, codec, `a journal of another kind, "${journal}"`);
    if (version !== VERSION) throw notJournal(path, codec, `version ${version} of it, which this program cannot read`);
    if (bytes.at(-1) === RETURN) throw otherLineEnds(path);
    requireSameFacts(path, recorded, identity);
    return { version: VERSION, hasHeader: true };
  }
  if (codec.version1 === "record") {
    requireRecord(path, codec, bytes);
    return { version: 1, hasHeader: false };
  }
  const facts = factsSchema.safeParse(value);
  if (!facts.success || facts.data.kind !== codec.kind) throw notJournal(path, codec, anotherLine(bytes));
  const { kind: _, ...recorded } = facts.data;
  requireSameFacts(path, workIdentity.catch({}).parse(recorded), identity);
  return { version: 1, hasHeader: true };
}

function requireRecord(path: string, codec: Described, bytes: Bytes): void {
  try {
    codec.decode(bytes.toString("utf8"));
  } catch (cause) {
    throw notJournal(path, codec, anotherLine(bytes), cause);
  }
}

/**
 * Makes sure that a first line without its line end can be what a kill left of a journal: it is going to be cut off.
 * @throws ProbeError `bad_input` when it is something else
 */
export function requireTornStart(path: string, codec: Described, bytes: Bytes): void {
  const text = bytes.toString("utf8");
  const starts = [`{"journal":"${codec.kind}"`, '{"kind":"'];
  if (starts.some((start) => text.startsWith(start) || start.startsWith(text))) return;
  throw notJournal(path, codec, anotherLine(bytes));
}

const RETURN = 0x0d;

/** Error about a journal whose every line is whole, but for its end. */
function otherLineEnds(path: string): ProbeError {
  return badInput(
    `Expected lines of ${path} to end with \\n, found \\r\\n, as git writes them on Windows. Nothing is lost: convert the ` +
      `run's .jsonl files (dos2unix, or tr -d '\\r'), and have git leave them alone (*.jsonl -text in .gitattributes).`,
  );
}

/** Error about a file that is no journal of this kind. */
function notJournal(path: string, codec: Described, found: string, cause?: unknown): ProbeError {
  return badInput(`Expected ${codec.journal} at ${path}, found ${found}. Move that file away, or name another.`, cause);
}

/** Excerpt of a line that is no header. */
function anotherLine(bytes: Bytes): string {
  return `another first line: ${shorten(bytes.toString("utf8"), 60)}`;
}

/** @throws ProbeError `bad_input` when a file belongs to other work, naming the differences; `null`: not checked */
export function requireSameFacts(path: string, recorded: WorkIdentity, asked: WorkIdentity | null): void {
  const found = asked === null ? [] : differences(recorded, asked, "the file");
  if (found.length === 0) return;
  throw badInput(
    `Expected ${path} to be from this same command, found a different one:\n` +
      `${found.map((line) => `  ${line}`).join("\n")}\n` +
      "Nothing was changed. Finish that one, remove the file to give it up, or name another with --out.",
  );
}
