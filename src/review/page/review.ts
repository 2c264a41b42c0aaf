import type { Choice, QuestionReason } from "../decision.js";
import type { EarlierVerdict, Refused, ReviewState, Saved, ShownExample, Verdict } from "../review-protocol.js";

export type { EarlierVerdict, Verdict };

/** State of the page; `unsaved` and `failed` stay until what failed is tried again. */
type Phase =
  | { readonly kind: "loading" | "ready" | "saving" }
  | { readonly kind: "unsaved"; readonly message: string; readonly attempt: Attempt }
  | { readonly kind: "failed"; readonly message: string; readonly again: () => Promise<void> };

/** A change that was to be saved. */
export type Attempt =
  | { readonly kind: "decision"; readonly choice: Choice }
  | { readonly kind: "question"; readonly question: string; readonly reason: QuestionReason | null }
  | { readonly kind: "note" };

/** The page's state, and all that can happen to it. Knows nothing of the document. */
export class Review {
  phase: Phase = { kind: "loading" };
  state: ReviewState | null = null;
  position = 0;
  shown: ShownExample | null = null;
  /** Content of the note field. */
  draft = "";
  /** The last action, in words. */
  said = "";
  readonly #server: ServerApi;
  readonly #onChange: () => void;
  #verdicts: (Verdict | null)[] = [];

  constructor(server: ServerApi, onChange: () => void) {
    this.#server = server;
    this.#onChange = onChange;
  }

  /** Begins at a position, or at the first undecided example. */
  async start(wanted: number | null): Promise<void> {
    await this.#load(async () => {
      this.state = await this.#server.state();
      this.#verdicts = this.state.examples.map(({ verdict }) => verdict);
      await this.#show(wanted ?? this.firstUndecided(0) ?? 0);
    });
  }

  /** Verdicts by position. */
  get verdicts(): readonly (Verdict | null)[] {
    return this.#verdicts;
  }

  get hasUnsavedNote(): boolean {
    return this.shown !== null && this.draft !== this.shown.note;
  }

  /** The first undecided position from `start` on, then from the beginning; `null` when all are decided. */
  firstUndecided(start: number): number | null {
    const after = this.#verdicts.indexOf(null, start);
    const found = after === -1 ? this.#verdicts.indexOf(null) : after;
    return found === -1 ? null : found;
  }

  /** Saves a decision with the note, then goes on to the next undecided example; a changed decision stays in view. */
  async decide(choice: Choice): Promise<void> {
    if (!this.#isFree()) return;
    const isFirst = this.#verdicts[this.position] === null;
    if (!(await this.#save({ kind: "decision", choice }))) return;
    if (isFirst) await this.#goOn();
  }

  /** Drops a question of the example in view by itself, or takes that back (`null`). */
  async decideQuestion(question: string, reason: QuestionReason | null): Promise<void> {
    if (this.#isFree()) await this.#save({ kind: "question", question, reason });
  }

  async #goOn(): Promise<void> {
    const next = this.firstUndecided(this.position + 1);
    if (next !== null) await this.#load(() => this.#show(next));
  }

  async saveNote(): Promise<boolean> {
    if (!this.#isFree()) return false;
    return !this.hasUnsavedNote || this.#save({ kind: "note" });
  }

  /** Goes to a position, when there is one; a changed note is saved first. */
  async goTo(position: number | null): Promise<void> {
    const isThere = position !== null && position >= 0 && position < this.#verdicts.length;
    if (!isThere || position === this.position || this.phase.kind !== "ready") return;
    if (await this.saveNote()) await this.#load(() => this.#show(position));
  }

  /** Tries again what failed. */
  async retry(): Promise<void> {
    if (this.phase.kind === "failed") await this.phase.again();
    else if (this.phase.kind === "unsaved") {
      const { attempt } = this.phase;
      if (attempt.kind === "decision") await this.decide(attempt.choice);
      else if (attempt.kind === "question") await this.decideQuestion(attempt.question, attempt.reason);
      else await this.saveNote();
    }
  }

  /** Tells whether something can be saved now: not while something else is, or nothing is shown. */
  #isFree(): boolean {
    return this.shown !== null && (this.phase.kind === "ready" || this.phase.kind === "unsaved");
  }

  async #save(attempt: Attempt): Promise<boolean> {
    const { shown, draft } = this;
    if (shown === null) return false;
    this.#enter({ kind: "saving" });
    try {
      const saved = await this.#send(shown.id, attempt, draft);
      this.#verdicts[this.position] = saved.verdict;
      this.shown = afterSaving(shown, attempt, saved.verdict, draft);
      this.said = `Saved: example ${this.position + 1}, ${wordsFor(attempt)}.`;
      this.#enter({ kind: "ready" });
      return true;
    } catch (error) {
      this.#enter({ kind: "unsaved", message: messageOf(error), attempt });
      return false;
    }
  }

  #send(exampleId: string, attempt: Attempt, note: string): Promise<Saved> {
    const body = { example_id: exampleId, note };
    if (attempt.kind === "note") return this.#server.note(body);
    if (attempt.kind === "decision") return this.#server.decide({ ...body, ...attempt.choice });
    const { question, reason } = attempt;
    const decision = reason === null ? "keep" : "drop";
    return this.#server.decideQuestion({ example_id: exampleId, question, decision, reason });
  }

  async #show(position: number): Promise<void> {
    const count = this.#verdicts.length;
    const within = Math.min(Math.max(position, 0), count - 1);
    this.shown = await this.#server.example(within);
    this.position = within;
    this.draft = this.shown.note;
  }

  async #load(action: () => Promise<void>): Promise<void> {
    this.#enter({ kind: "loading" });
    try {
      await action();
      this.#enter({ kind: "ready" });
    } catch (error) {
      this.#enter({ kind: "failed", message: messageOf(error), again: () => this.#load(action) });
    }
  }

  #enter(phase: Phase): void {
    this.phase = phase;
    this.#onChange();
  }
}

/** A question does not save the note: what is typed stays unsaved. */
function afterSaving(shown: ShownExample, attempt: Attempt, verdict: Verdict | null, draft: string): ShownExample {
  if (attempt.kind !== "question") return { ...shown, verdict, note: draft };
  if (shown.questions.status !== "ready") return { ...shown, verdict };
  const questions = shown.questions.questions.map((question) =>
    question.form === attempt.question ? { ...question, dropped: attempt.reason } : question,
  );
  return { ...shown, verdict, questions: { ...shown.questions, questions } };
}

function wordsFor(attempt: Attempt): string {
  if (attempt.kind === "note") return "note";
  if (attempt.kind === "question") {
    const { question, reason } = attempt;
    return reason === null ? `${question} kept` : `${question} dropped, ${reason.replaceAll("_", " ")}`;
  }
  const { decision, reason } = attempt.choice;
  return decision === "keep" ? "keep" : `drop, ${reason.replaceAll("_", " ")}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const TIMEOUT_MS = 15_000;

/** Requests of the page to the server. Every call throws an `Error` that says why it failed. */
export const serverApi = {
  state: () => ask<ReviewState>("api/state"),
  example: (position: number) => ask<ShownExample>(`api/examples/${position}`),
  decide: (body: object) => ask<Saved>("api/decisions", body),
  decideQuestion: (body: object) => ask<Saved>("api/questions", body),
  note: (body: object) => ask<Saved>("api/notes", body),
};

type ServerApi = typeof serverApi;

async function ask<T>(path: string, body?: object): Promise<T> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const request: RequestInit =
    body === undefined
      ? { signal }
      : { signal, method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response: Response;
  try {
    response = await fetch(path, request);
  } catch {
    throw new Error("The server does not answer. Has `probe dataset review` been stopped?");
  }
  const reply = (await response.json()) as T | Refused;
  if (!response.ok) throw new Error((reply as Refused).error);
  return reply as T;
}

/** Action of a key. */
export type Action =
  | { readonly kind: "keep" }
  /** Number of the reason's key, 1 to 7. */
  | { readonly kind: "drop"; readonly key: number }
  | { readonly kind: "note" | "next" | "previous" | "first_undecided" | "help" | "retry" };

export interface PressedKey {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly repeat: boolean;
}

const MOVES: Readonly<Record<string, Action>> = {
  j: { kind: "next" },
  ArrowRight: { kind: "next" },
  h: { kind: "previous" },
  ArrowLeft: { kind: "previous" },
};

const COMMANDS: Readonly<Record<string, Action>> = {
  k: { kind: "keep" },
  n: { kind: "note" },
  u: { kind: "first_undecided" },
  "?": { kind: "help" },
  r: { kind: "retry" },
};

/**
 * The action of a key; `null` where it has none, or belongs to the browser. A key that is held down moves, but decides
 * once only.
 */
export function actionOf(pressed: PressedKey): Action | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null;
  const key = pressed.key.length === 1 ? pressed.key.toLowerCase() : pressed.key;
  const move = ownValue(MOVES, key);
  if (move !== null || pressed.repeat) return move;
  const digit = digitOf(pressed);
  return digit === null ? ownValue(COMMANDS, key) : { kind: "drop", key: digit };
}

/** Some keyboards have the digits on shift: there the bare key counts too. */
function digitOf({ key, code, shiftKey }: PressedKey): number | null {
  const digit = /^[1-7]$/.exec(key)?.[0] ?? (shiftKey ? undefined : /^Digit([1-7])$/.exec(code)?.[1]);
  return digit === undefined ? null : Number(digit);
}

function ownValue(record: Readonly<Record<string, Action>>, key: string): Action | null {
  return Object.hasOwn(record, key) ? (record[key] ?? null) : null;
}
