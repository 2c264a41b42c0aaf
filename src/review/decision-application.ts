import { badInput } from "../base/errors.js";
import { sha256OfFile } from "../base/sha256.js";
import { type Funnel, FunnelCounter } from "../dataset/funnel.js";
import { QUESTION_FORMS, type QuestionForm } from "../dataset/official-record.js";
import { LineWriter, writeAtomically } from "../store/atomic-write.js";
import { categoryOf, type QuestionReason } from "./decision.js";
import type { DecisionsFile } from "./decisions-file.js";
import { readReviewExamples } from "./review-examples.js";

/** Request to apply the decisions of people to a file of examples. */
interface ApplyRequest {
  /** One a person, at least one, all about the same file. */
  readonly files: readonly DecisionsFile[];
  /** Decisions about conflicts, made later; `null`: conflicts are left out. */
  readonly resolutions: DecisionsFile | null;
  /** Tells whether an example that somebody has not decided is kept as far as the others keep it. */
  readonly keepsUndecided: boolean;
  /** The data that was reviewed. */
  readonly data: string;
  /** Advice for naming other data, such as `Say where it is with --data.`: for the messages. */
  readonly dataAdvice: string;
  readonly out: string;
}

/** Result of applying decisions. */
export interface Applied {
  readonly funnel: Funnel;
  /** Kept examples that have questions. */
  readonly withQuestions: number;
  /** Questions of kept examples that are asked no more, by form and reason. */
  readonly questions: readonly {
    readonly form: QuestionForm;
    readonly reason: QuestionReason;
    readonly count: number;
  }[];
}

/**
 * Writes the lines of the data that everybody kept (of the conflicts those that the resolutions keep), in order. A line
 * stays as it stands, byte for byte, unless a question of it was dropped: that is then named in its `not_asked`, and its
 * options stay in the record. One annotator is enough to drop a question, unless the resolutions speak of its example.
 * @throws ProbeError `bad_input` when the data is not what was reviewed
 */
export async function applyDecisions(request: ApplyRequest): Promise<Applied> {
  const { data, out } = request;
  for (const file of request.files) await requireReviewed(request, file);
  const funnel = new FunnelCounter();
  const questions = new QuestionCounter();
  let withQuestions = 0;
  await writeAtomically(out, async (append) => {
    const writer = new LineWriter(append);
    for await (const line of readReviewExamples(data)) {
      if (line.status === "skipped") {
        funnel.drop(line.language, line.reason);
        continue;
      }
      const { id, triple, options } = line.example;
      const reason = whyDropped(id, request);
      if (reason !== null) {
        funnel.drop(triple.language, reason);
        continue;
      }
      funnel.keep(triple.language);
      if (options.status === "ready") withQuestions++;
      const dropped = droppedQuestions(id, request);
      questions.add(dropped);
      await writer.write(dropped.size === 0 ? line.text : withoutQuestions(line.text, id, dropped));
    }
    await writer.flush();
  });
  return { funnel: funnel.funnel(), withQuestions, questions: questions.counts() };
}

/** `null`: kept. */
function whyDropped(id: string, { files, resolutions, keepsUndecided }: ApplyRequest): string | null {
  const decided = files.flatMap((file) => file.decisions.get(id) ?? []);
  const who = files.length === 2 ? "both" : "all";
  if (decided.length < files.length && !keepsUndecided) {
    return files.length === 1 ? "not decided" : `not decided by ${who}`;
  }
  const [first, ...others] = decided;
  if (first === undefined) return null;
  if (others.every((other) => categoryOf(other) === categoryOf(first))) return first.reason;
  const resolved = resolutions?.decisions.get(id);
  if (resolved !== undefined) return resolved.reason;
  return decided.every(({ decision }) => decision === "drop")
    ? `dropped by ${who}, reasons differ`
    : "conflict, not resolved";
}

function droppedQuestions(id: string, { files, resolutions }: ApplyRequest): Map<QuestionForm, QuestionReason> {
  const deciding = resolutions?.decisions.has(id) === true ? [resolutions] : files;
  return new Map(deciding.flatMap(({ questions }) => [...(questions.get(id) ?? [])]));
}

/** The record again, with its id written out: an id that is derived from the text would change with it. */
function withoutQuestions(text: string, id: string, dropped: ReadonlyMap<QuestionForm, QuestionReason>): string {
  const record = JSON.parse(text) as Record<string, unknown>;
  const before = (record["not_asked"] ?? {}) as Record<string, string>;
  const names = QUESTION_FORMS.filter((form) => dropped.has(form));
  const reasons = names.map((form) => [form, dropped.get(form)?.replaceAll("_", " ")]);
  const identified = { id, ...record };
  return JSON.stringify({ ...identified, id, not_asked: { ...before, ...Object.fromEntries(reasons) } });
}

class QuestionCounter {
  readonly #counts = new Map<string, { form: QuestionForm; reason: QuestionReason; count: number }>();

  add(dropped: ReadonlyMap<QuestionForm, QuestionReason>): void {
    for (const [form, reason] of dropped) {
      const count = this.#counts.get(`${form} ${reason}`)?.count ?? 0;
      this.#counts.set(`${form} ${reason}`, { form, reason, count: count + 1 });
    }
  }

  counts(): Applied["questions"] {
    const place = ({ form }: { readonly form: QuestionForm }) => QUESTION_FORMS.indexOf(form);
    return [...this.#counts.values()].sort((a, b) => place(a) - place(b) || (a.reason < b.reason ? -1 : 1));
  }
}

async function requireReviewed({ data, dataAdvice }: ApplyRequest, { path, header }: DecisionsFile): Promise<void> {
  const found = await sha256OfFile(data).catch((cause: unknown) => {
    throw badInput(`Expected the reviewed data at ${data}, found no readable file. ${dataAdvice}`, cause);
  });
  if (found === header.dataset.sha256) return;
  throw badInput(
    `Expected the data that ${path} is about (sha256 ${header.dataset.sha256}), found another in ` +
      `${data} (sha256 ${found}). ${dataAdvice}`,
  );
}
