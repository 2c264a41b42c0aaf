import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { badInput } from "../base/errors.js";
import { shorten } from "../base/text.js";
import { type CommandResult, runCommand } from "./run-command.js";

/**
 * Settings against additions by repository, user or system: hooks, monitors, filters, and programs that show
 * differences.
 */
const SAFE = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.autocrlf=false",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "core.untrackedCache=false",
  "core.fileMode=true",
  "core.symlinks=true",
  "core.quotePath=true",
  // Names such as `git~1` and `.git ` are files like others: no git of anybody's works in these trees.
  "core.protectNTFS=false",
  "core.protectHFS=false",
  "commit.gpgSign=false",
  "gc.auto=0",
  "protocol.allow=never",
  "user.name=probe",
  "user.email=probe@localhost",
].flatMap((setting) => ["-c", setting]);

/** Of `git diff`: all that a patch has, whatever this machine sets. */
export const WHOLE_DIFF = ["--binary", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames"];

const LIMIT_MS = 300_000;
/** Not every system limits memory. */
const LIMITED = 'ulimit -v "$1" 2>/dev/null; shift; exec "$@"';

/** Folders in which git works. */
export interface GitPlace {
  /** Folder of our own, always: that of somebody else's clone may name programs. */
  readonly gitDir: string;
  readonly workTree: string;
}

interface GitOptions {
  readonly input?: string;
  readonly outputFile?: string;
  /** The most memory that it may take; absent: as much as it wants. */
  readonly mostBytes?: number;
  readonly signal?: AbortSignal;
}

/** Runs git with no configuration but ours. */
export function tryGit(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<CommandResult> {
  const where = [`--git-dir=${place.gitDir}`, `--work-tree=${place.workTree}`];
  const { signal = new AbortController().signal, mostBytes, ...io } = options;
  const run = ["git", ...SAFE, ...where, ...args] as const;
  return runCommand(
    {
      argv: mostBytes === undefined ? run : ["/bin/sh", "-c", LIMITED, "sh", String(mostBytes / 1024), ...run],
      cwd: place.workTree,
      env: {
        PATH: process.env["PATH"] ?? "/usr/bin:/bin",
        HOME: "/nonexistent",
        LC_ALL: "C",
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_ATTR_NOSYSTEM: "1",
        GIT_NO_REPLACE_OBJECTS: "1",
        GIT_NO_LAZY_FETCH: "1",
        GIT_TERMINAL_PROMPT: "0",
        GIT_AUTHOR_DATE: "2000-01-01T00:00:00Z",
        GIT_COMMITTER_DATE: "2000-01-01T00:00:00Z",
      },
      limitMs: LIMIT_MS,
      strays: "none",
      ...io,
    },
    signal,
  );
}

/**
 * Runs git, where it has to succeed.
 * @throws ProbeError `bad_input`
 */
export async function git(place: GitPlace, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const result = await tryGit(place, args, options);
  options.signal?.throwIfAborted();
  if (result.end === "exited" && result.code === 0) return result.output;
  const found = result.end === "not_started" ? `no git (${result.output})` : shorten(result.output.trim(), 500);
  throw badInput(
    `Expected \`git ${args.slice(0, 2).join(" ")}\` to work in ${place.workTree}, found: ${found || result.end}. ` +
      "Install git 2.30 or newer, and check the folder.",
  );
}

/** Stronger than any .gitattributes: bytes go in and out as they are, no filter runs, nothing is left out or filled in. */
const PLAIN_ATTRIBUTES =
  "* -text -ident -filter !diff !eol !working-tree-encoding -export-ignore -export-subst !merge\n" +
  // Code is text whatever its bytes: by a zero in a comment it would be hidden from whoever reads or counts a patch.
  "c h cc cpp cxx c++ hh hpp hxx cs go java js cjs mjs jsx ts cts mts tsx php py pyi rb rs kt kts scala swift sh"
    .split(" ")
    .map((ending) => `*.${ending} diff\n`)
    .join("");

/** A git directory without objects, hooks or names, as `git init` makes one, without a process. */
export async function makeGitFolder(gitDir: string, config: string): Promise<void> {
  for (const folder of ["objects/info", "refs", "info"]) await mkdir(join(gitDir, folder), { recursive: true });
  await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/none\n");
  await writeFile(join(gitDir, "config"), config);
  await writeFile(join(gitDir, "info/exclude"), "");
  await setLineEnds(gitDir, []);
}

/** Says of which files the lines end with CR LF in the tree and with LF in patches; the bytes of all others are left alone. */
export async function setLineEnds(gitDir: string, paths: readonly string[]): Promise<void> {
  const lines = paths.map((path) => `${JSON.stringify(path.replace(/[\\*?[]/g, "\\$&"))} text eol=crlf\n`);
  await writeFile(join(gitDir, "info/attributes"), PLAIN_ATTRIBUTES + lines.join(""));
}
