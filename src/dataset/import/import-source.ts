import { basename, extname } from "node:path";
import { badInput, type ProbeError } from "../../base/errors.js";
import { didYouMean } from "../../base/near-names.js";
import { shorten } from "../../base/text.js";
import { writeAtomically } from "../../store/atomic-write.js";
import { TABLE_ENDING } from "../json-lines.js";

/** A dataset on the Hugging Face hub: `hf:OWNER/NAME[@REVISION][/FILE]`. */
export interface HubSource {
  readonly kind: "hub";
  readonly owner: string;
  readonly name: string;
  /** A branch, a tag or a commit; `main` when none was named. */
  readonly revision: string;
  /** `null`: the only JSONL file there is. */
  readonly file: string | null;
}

/** A repository on GitHub: `github:OWNER/REPO`. */
export interface GitHubSource {
  readonly kind: "github";
  readonly owner: string;
  readonly name: string;
}

/** A project on GitLab: `gitlab:GROUP/PROJECT`, with any number of subgroups. */
export interface GitLabSource {
  readonly kind: "gitlab";
  /** Group and subgroups, such as `group/sub`. */
  readonly owner: string;
  readonly name: string;
}

/** Source of merged requests. */
export type RepositorySource = GitHubSource | GitLabSource;

/** Code reviews in a file of one's own: a table, `FILE.csv` or `FILE.tsv`, or tests of promptfoo, `promptfoo:FILE`. */
export interface TableSource {
  readonly kind: "table" | "promptfoo";
  readonly path: string;
  /** The file's name without its ending. */
  readonly name: string;
}

export type ImportSource = HubSource | RepositorySource | TableSource;

// Letters, digits, `_`, `-` and `.`, as the hosts have them; never `.` or `..`.
const NAME = String.raw`(?!\.{1,2}(?:[/@]|$))[\w.-]{1,100}`;
const HUB = new RegExp(`^hf:(${NAME})/(${NAME})(?:@([^/]+))?(?:/(.+))?$`);
const GITHUB = new RegExp(`^github:(${NAME})/(${NAME})$`);
const GITLAB = new RegExp(`^gitlab:((?:${NAME}/)*${NAME})/(${NAME})$`);
const PROMPTFOO = /^promptfoo:(.+\.(?:json|ya?ml))$/i;
const URLS =
  /^(?:https?:\/\/)?(?:www\.)?(huggingface\.co\/datasets|github\.com)\/([\w.-]+)\/([\w.-]+?)(?:\.git)?(?:\/.*)?$/;
const GITLAB_URL = /^(?:https?:\/\/)?(gitlab\.[\w.:-]+)\/((?:\w[\w.-]*\/)+\w[\w.-]*?)(?:\.git)?\/?(?:-\/.*)?$/;

/**
 * Reads a name such as `hf:owner/name`.
 * @throws ProbeError `bad_input`
 */
export function parseImportSource(text: string): ImportSource {
  const stem = basename(text).replace(TABLE_ENDING, "");
  if (stem !== "" && TABLE_ENDING.test(text) && !/^\w+:/.test(text)) return { kind: "table", path: text, name: stem };
  const [, tests] = PROMPTFOO.exec(text) ?? [];
  if (tests !== undefined) return { kind: "promptfoo", path: tests, name: basename(tests, extname(tests)) };
  const [, owner, name, revision, file] = HUB.exec(text) ?? GITHUB.exec(text) ?? GITLAB.exec(text) ?? [];
  if (owner === undefined || name === undefined) throw notASource(text);
  if (text.startsWith("github:")) return { kind: "github", owner, name };
  if (text.startsWith("gitlab:")) return { kind: "gitlab", owner, name };
  if (file !== undefined) requireInnerPath(file);
  return { kind: "hub", owner, name, revision: decodeRevision(revision ?? "main"), file: file ?? null };
}

/** Name as a user writes it: `hf:owner/name@revision/file`. */
export function describeHubSource({ owner, name, revision, file }: HubSource): string {
  return `hf:${owner}/${name}@${encodeURIComponent(revision)}${file === null ? "" : `/${file}`}`;
}

/** Name as a user writes it: `github:owner/name`. */
export function describeRepository({ kind, owner, name }: RepositorySource): string {
  return `${kind}:${owner}/${name}`;
}

/** `refs/pr/1` is written `refs%2Fpr%2F1`: a slash begins the file. */
function decodeRevision(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badInput(`Expected a branch, tag or commit after "@", found "${shorten(text, 120)}".`);
  }
}

/** A path that stays inside the folder it is joined to. */
export function requireInnerPath(path: string): void {
  const isInner = path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  if (isInner && !/[\\\p{Cc}]/u.test(path)) return;
  throw badInput(
    `Expected the path of a file inside the repository, such as data/test.jsonl, found "${shorten(path, 120)}".`,
  );
}

/** Sources that a text may mean which is none: an address, or an owner and a name alone. */
export function meantSources(text: string): readonly string[] {
  const [, host, owner, name] = URLS.exec(text) ?? [];
  if (host !== undefined) return [`${hostPrefix(host)}:${owner}/${name}`];
  const [, , project] = GITLAB_URL.exec(text) ?? [];
  if (project !== undefined) return [`gitlab:${project}`];
  return /^[\w-][\w.-]*\/[\w-]+$/.test(text) ? [`hf:${text}`, `github:${text}`] : [];
}

function notASource(text: string): ProbeError {
  const hint = /\.jsonl$/i.test(text)
    ? " A JSONL file needs no import: probe dataset build takes raw triples, probe run records with questions."
    : didYouMean(meantSources(text));
  return badInput(
    "Expected hf:OWNER/NAME, hf:OWNER/NAME@REVISION/FILE, github:OWNER/REPO, gitlab:GROUP/PROJECT, FILE.csv or " +
      `promptfoo:FILE, found "${shorten(text, 120)}".${hint}`,
  );
}

function hostPrefix(host: string): "github" | "hf" {
  return host === "github.com" ? "github" : "hf";
}

/** Path of the description of a data file's origin. */
export function sourceFilePath(path: string): string {
  return `${path}.source.json`;
}

/** Path of an unfinished import of a repository. */
export function progressPath(path: string): string {
  return `${path}.partial.jsonl`;
}

/** Writes where a data file came from beside it. */
export async function writeSourceFile(path: string, description: object): Promise<void> {
  await writeAtomically(sourceFilePath(path), (append) => append(`${JSON.stringify(description, null, 2)}\n`));
}
