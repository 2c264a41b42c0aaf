import type { Language } from "../../../../base/language.js";
import { normaliseText } from "../../../../base/text.js";
import { DROP, type DropReason } from "./drop-reason.js";
import { languageOfFile } from "./file-language.js";
import { findChange } from "./find-change.js";
import { commentedRegion, isOnOldSide } from "./hunk-region.js";
import type { FileAtCommit, GitHubReader } from "./reader.js";
import type { ReviewTriple } from "./review-triple.js";
import { type Revision, revisionsOf, timelineOf } from "./revision.js";
import type { InlineComment, PullRequest } from "./shapes.js";

/** What became of a comment. `language` is `null` where the file is in another language. */
export type CommentOutcome =
  | { readonly status: "kept"; readonly triple: ReviewTriple }
  | { readonly status: "dropped"; readonly language: Language | null; readonly reason: DropReason };

export interface RepositoryFacts {
  readonly fullName: string;
  readonly license: string | null;
}

/** Reads the inline comments of a pull request, and the change that followed each; in the order of the comments. */
export async function importPull(
  reader: GitHubReader,
  repository: RepositoryFacts,
  pull: PullRequest,
): Promise<CommentOutcome[]> {
  const pullReader = new PullReader(reader, pull);
  const outcomes: CommentOutcome[] = [];
  for (const comment of await reader.comments(pull.number)) {
    const language = languageOfFile(comment.path);
    const result = await followComment(comment, language, pullReader);
    if (result.status === "none" || language === null) {
      outcomes.push({ status: "dropped", language, reason: result.status === "none" ? result.reason : DROP.language });
      continue;
    }
    const { before, after, revision } = result;
    const triple: ReviewTriple = {
      id: `${repository.fullName}#${pull.number}/${comment.id}`,
      language,
      pre_review_code: codeOf(before),
      code_review: normaliseText(comment.body ?? "").trim(),
      post_review_code: codeOf(after),
      repo: repository.fullName,
      source: comment.html_url,
      ...(repository.license !== null && { license: repository.license }),
      path: comment.path,
      pre_review_commit: comment.original_commit_id,
      post_review_commit: revision.sha,
    };
    outcomes.push({ status: "kept", triple });
  }
  return outcomes;
}

/** As a text of a raw triple; a blank last line needs its line end to count. */
function codeOf(lines: readonly string[]): string {
  return lines.at(-1) === "" ? `${lines.join("\n")}\n` : lines.join("\n");
}

type CommentResult = Awaited<ReturnType<typeof findChange>>;

async function followComment(
  comment: InlineComment,
  language: Language | null,
  pull: PullReader,
): Promise<CommentResult> {
  const reason = plainReason(comment, language);
  if (reason !== null) return { status: "none", reason };
  const original = await pull.file(comment.path, comment.original_commit_id);
  if (original.status !== "text") {
    return { status: "none", reason: original.status === "missing" ? DROP.gone : DROP.unreadable };
  }
  const region = commentedRegion(comment, original.lines);
  if (region === null) return { status: "none", reason: DROP.lost };
  const timeline = timelineOf(await pull.revisions(), comment.original_commit_id, Date.parse(comment.created_at));
  const found = await findChange(original.lines, region, timeline, (sha) => pull.file(comment.path, sha));
  const isResolved = found.status === "none" && found.reason === DROP.unchanged && (await pull.isResolved(comment.id));
  return isResolved ? { status: "none", reason: DROP.resolved } : found;
}

/** Why a comment is left out on the face of it; `null` when it is not. */
function plainReason(comment: InlineComment, language: Language | null): DropReason | null {
  const { user, body, subject_type: subject, original_line: line } = comment;
  if (user?.type === "Bot" || user?.login.endsWith("[bot]") === true) return DROP.bot;
  if (comment.in_reply_to_id != null) return DROP.reply;
  if ((body ?? "").trim() === "") return DROP.empty;
  if (subject === "file" || (line == null && comment.diff_hunk.trim() === "")) return DROP.wholeFile;
  if (language === null) return DROP.language;
  return isOnOldSide(comment) ? DROP.oldSide : null;
}

/** Versions of files kept at hand while a pull request is read. */
const MOST_FILES = 24;

/** What several comments of one pull request need, asked for once. */
class PullReader {
  readonly #reader: GitHubReader;
  readonly #pull: PullRequest;
  readonly #files = new Map<string, FileAtCommit>();
  #revisions: Revision[] | null = null;
  #resolved: ReadonlySet<number> | null | undefined;

  constructor(reader: GitHubReader, pull: PullRequest) {
    this.#reader = reader;
    this.#pull = pull;
  }

  async revisions(): Promise<Revision[]> {
    this.#revisions ??= revisionsOf(await this.#reader.commits(this.#pull.number), this.#pull.head.sha);
    return this.#revisions;
  }

  async file(path: string, sha: string): Promise<FileAtCommit> {
    const key = `${sha}:${path}`;
    const file = this.#files.get(key) ?? (await this.#reader.file(path, sha));
    this.#files.delete(key);
    this.#files.set(key, file);
    for (const oldest of this.#files.keys()) {
      if (this.#files.size <= MOST_FILES) break;
      this.#files.delete(oldest);
    }
    return file;
  }

  async isResolved(comment: number): Promise<boolean> {
    if (this.#resolved === undefined) this.#resolved = await this.#reader.resolvedThreads(this.#pull.number);
    return this.#resolved?.has(comment) === true;
  }
}
