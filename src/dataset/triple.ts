import { z } from "zod";
import { type Language, parseLanguage } from "../base/language.js";
import { sha256 } from "../base/sha256.js";
import { normaliseText } from "../base/text.js";
import { readJsonLines } from "./json-lines.js";
import { hunk, oldHunk } from "./official-record.js";
import { type DataProblem, problemsOfIssues } from "./problem.js";

/** One code review as it was found: pre-review code, review, post-review code. Records are built from these. */
export interface Triple {
  /** Id as given; else the first 12 hex digits of the SHA-256 of language, code and review. */
  readonly id: string;
  readonly language: Language;
  /** Lines without marker column and without line ends; normalised (`normaliseText`). */
  readonly preReviewLines: readonly string[];
  /** Lines without marker column and without line ends; normalised (`normaliseText`). */
  readonly postReviewLines: readonly string[];
  readonly review: string;
  readonly repo?: string;
  readonly source?: string;
  readonly license?: string;
}

/** `raw`: spec §2.2, no marker columns. `official`: spec §2.1, with or without its options. */
type TripleForm = "raw" | "official";

/** Result of reading one line of a file of reviews. `text` is the line as it stands in the file. */
export type TripleLine =
  | {
      readonly status: "valid";
      readonly line: number;
      readonly text: string;
      readonly form: TripleForm;
      readonly triple: Triple;
    }
  /** Sound, but in a language that no probe knows. */
  | { readonly status: "unsupported"; readonly line: number; readonly text: string; readonly language: string }
  | { readonly status: "invalid"; readonly line: number; readonly problems: readonly DataProblem[] };

const origin = {
  id: z.string().min(1).max(200).nullish(),
  repo: z.string().nullish(),
  source: z.string().nullish(),
  license: z.string().nullish(),
};

const rawTriple = z.object({
  pre_review_code: z.string(),
  code_review: z.string(),
  post_review_code: z.string(),
  language: z.string().min(1),
  ...origin,
});

const officialTriple = z.object({ lang: z.string().min(1), old: oldHunk, new: hunk, review: z.string(), ...origin });

/** The fields that a code review has to have, in either form, and those that it may have. */
export const TRIPLE_FIELDS = {
  raw: requiredOf(rawTriple.shape),
  official: requiredOf(officialTriple.shape),
  optional: Object.keys(origin),
} as const;

function requiredOf(shape: object): readonly string[] {
  return Object.keys(shape).filter((field) => !(field in origin));
}

/**
 * Streams the code reviews of a JSONL file in either form; a line with a field `pre_review_code` is raw.
 * @throws ProbeError `bad_input` when the file cannot be read at all
 */
export async function* readTriples(path: string): AsyncGenerator<TripleLine> {
  for await (const line of readJsonLines(path)) {
    yield line.status === "invalid" ? line : tripleLineOf(path, line.line, line.text, line.value);
  }
}

/** Tells whether a line is to be read as a raw triple (spec §2.2). */
export function isRawTriple(value: unknown): value is object {
  return typeof value === "object" && value !== null && "pre_review_code" in value;
}

/** Reads the value at a line of a file as a code review. */
export function tripleLineOf(file: string, line: number, text: string, value: unknown): TripleLine {
  const isRaw = isRawTriple(value);
  const parsed = isRaw ? parseRaw(value) : parseOfficial(value);
  if (!parsed.success) return { status: "invalid", line, problems: problemsOfIssues(file, line, parsed.issues) };
  const language = parseLanguage(parsed.language);
  if (language === undefined) return { status: "unsupported", line, text, language: parsed.language };
  const { id, repo, source, license } = parsed.origin;
  const content = { language, ...parsed.content };
  const triple: Triple = {
    id: id ?? sha256(JSON.stringify(content)).slice(0, 12),
    ...content,
    ...(repo != null && { repo }),
    ...(source != null && { source }),
    ...(license != null && { license }),
  };
  return { status: "valid", line, text, form: isRaw ? "raw" : "official", triple };
}

type Parsed =
  | { readonly success: false; readonly issues: readonly z.core.$ZodIssue[] }
  | {
      readonly success: true;
      readonly language: string;
      readonly content: Pick<Triple, "preReviewLines" | "postReviewLines" | "review">;
      readonly origin: Readonly<Partial<Record<"id" | "repo" | "source" | "license", string | null | undefined>>>;
    };

function parseRaw(value: unknown): Parsed {
  const { data, error } = rawTriple.safeParse(value, { reportInput: true });
  if (data === undefined) return { success: false, issues: error.issues };
  const content = {
    preReviewLines: linesOf(data.pre_review_code),
    postReviewLines: linesOf(data.post_review_code),
    review: normaliseText(data.code_review),
  };
  return { success: true, language: data.language, content, origin: data };
}

function parseOfficial(value: unknown): Parsed {
  const { data, error } = officialTriple.safeParse(value, { reportInput: true });
  if (data === undefined) return { success: false, issues: error.issues };
  const withoutMarkers = (code: string) => linesOf(code).map((line) => line.slice(1));
  const content = {
    preReviewLines: withoutMarkers(data.old),
    postReviewLines: withoutMarkers(data.new),
    review: normaliseText(data.review),
  };
  return { success: true, language: data.lang, content, origin: data };
}

/** A line end at the end of the text ends its last line; it does not open another. Empty text has no lines. */
function linesOf(code: string): string[] {
  const text = normaliseText(code).replace(/\n$/, "");
  return text === "" ? [] : text.split("\n");
}
