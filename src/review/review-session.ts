import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { z } from "zod";
import { messageOf } from "../base/errors.js";
import { promptName } from "../base/language.js";
import type { Example } from "../dataset/example.js";
import type { QuestionForm } from "../dataset/official-record.js";
import type { Triple } from "../dataset/triple.js";
import { refuse } from "../serve/serve-until-interrupted.js";
import { coloursByLine } from "../syntax/colours.js";
import {
  type Choice,
  type Decision,
  decisionRequest,
  noteRequest,
  QUESTION_REASONS,
  type QuestionChoice,
  type QuestionReason,
  questionRequest,
  REASONS,
  type Reason,
  SHOWN_QUESTION_REASONS,
  SHOWN_REASONS,
} from "./decision.js";
import type { DecisionStore, DecisionsFile } from "./decisions-file.js";
import { diffRows } from "./diff-rows.js";
import type { ReviewExample } from "./review-examples.js";
import { pageDocument } from "./review-page.js";
import type { ReviewState, Saved, ShownExample, ShownRow, Verdict } from "./review-protocol.js";
import { type AskedQuestion, type DistractorOrigin, shownQuestions } from "./shown-questions.js";

interface SessionRequest {
  /** Path of the data. */
  readonly file: string;
  readonly annotator: string;
  /** Examples that are reviewed, in order. */
  readonly examples: readonly ReviewExample[];
  readonly store: DecisionStore;
  /** The questions as a model is asked them. */
  readonly questionsOf: (example: Example) => readonly AskedQuestion[];
  /** Origins of SI distractors, by example. */
  readonly origins: ReadonlyMap<string, DistractorOrigin>;
  /** Decisions of others, shown to those who resolve conflicts. */
  readonly earlier: readonly DecisionsFile[];
}

/** Progress of a review. */
export interface ReviewSummary {
  readonly kept: number;
  /** Reasons in their order; those met only. */
  readonly dropped: readonly { readonly reason: Reason; readonly count: number }[];
  readonly undecided: number;
  /** Questions that were dropped by themselves; those reasons that were met. */
  readonly questions: readonly { readonly reason: QuestionReason; readonly count: number }[];
}

/** A review under way: what the page can ask for and what it can tell. */
export class ReviewSession {
  readonly #request: SessionRequest;
  readonly #ids: ReadonlySet<string>;

  constructor(request: SessionRequest) {
    this.#request = request;
    this.#ids = new Set(request.examples.map(({ id }) => id));
  }

  state(): ReviewState {
    const { file, annotator, examples, store } = this.#request;
    return {
      file: basename(file),
      savedTo: store.path,
      annotator,
      reasons: SHOWN_REASONS,
      questionReasons: SHOWN_QUESTION_REASONS,
      examples: examples.map(({ id }) => ({ id, verdict: verdictOf(store.decisions.get(id)) })),
    };
  }

  /** @param position from 0; `null` is returned where there is none */
  async show(position: number): Promise<ShownExample | null> {
    const { examples, store, earlier, questionsOf, origins } = this.#request;
    const example = examples[position];
    if (example === undefined) return null;
    const { id, triple } = example;
    return {
      id,
      language: promptName(triple.language),
      repo: triple.repo ?? null,
      source: triple.source ?? null,
      license: triple.license ?? null,
      review: triple.review,
      rows: await colouredRows(triple),
      questions: shownQuestions(example.options, questionsOf, origins.get(id), store.questions.get(id) ?? NONE),
      earlier: earlier.flatMap(({ header, decisions, questions: dropped }) => {
        const verdict = verdictOf(decisions.get(id));
        const questions = [...(dropped.get(id) ?? [])].map(([form, reason]) => ({ form, reason }));
        return verdict === null ? [] : [{ annotator: header.annotator, ...verdict, questions }];
      }),
      verdict: verdictOf(store.decisions.get(id)),
      note: store.noteOf(id),
    };
  }

  has(exampleId: string): boolean {
    return this.#ids.has(exampleId);
  }

  /** Resolves when it is on disk. */
  async decide(exampleId: string, choice: Choice, note: string): Promise<Saved> {
    return { saved: true, verdict: verdictOf(await this.#request.store.decide(exampleId, choice, note)) };
  }

  /** Resolves when it is on disk. */
  async decideQuestion(exampleId: string, question: QuestionForm, choice: QuestionChoice): Promise<Saved> {
    await this.#request.store.decideQuestion(exampleId, question, choice);
    return this.#saved(exampleId);
  }

  /** Resolves when it is on disk. */
  async note(exampleId: string, note: string): Promise<Saved> {
    await this.#request.store.note(exampleId, note);
    return this.#saved(exampleId);
  }

  #saved(exampleId: string): Saved {
    return { saved: true, verdict: verdictOf(this.#request.store.decisions.get(exampleId)) };
  }

  #droppedQuestions(reason: QuestionReason): number {
    const { examples, store } = this.#request;
    return examples
      .flatMap(({ id }) => [...(store.questions.get(id)?.values() ?? [])])
      .filter((dropped) => dropped === reason).length;
  }

  summary(): ReviewSummary {
    const { examples, store } = this.#request;
    const verdicts = examples.map(({ id }) => store.decisions.get(id));
    const count = (wanted: (decision: Decision | undefined) => boolean) => verdicts.filter(wanted).length;
    return {
      kept: count((decision) => decision?.decision === "keep"),
      dropped: REASONS.map((reason) => ({ reason, count: count((decision) => decision?.reason === reason) })).filter(
        (drop) => drop.count > 0,
      ),
      undecided: count((decision) => decision === undefined),
      questions: QUESTION_REASONS.map((reason) => ({ reason, count: this.#droppedQuestions(reason) })).filter(
        (drop) => drop.count > 0,
      ),
    };
  }
}

const NONE: ReadonlyMap<string, QuestionReason> = new Map();

function verdictOf(decision: Decision | undefined): Verdict | null {
  if (decision === undefined) return null;
  const { note } = decision;
  return decision.decision === "keep"
    ? { decision: "keep", reason: null, note }
    : { decision: "drop", reason: decision.reason, note };
}

async function colouredRows({ preReviewLines, postReviewLines, language }: Triple): Promise<ShownRow[]> {
  const [before, after] = await Promise.all([
    coloursByLine(preReviewLines, language),
    coloursByLine(postReviewLines, language),
  ]);
  return diffRows(preReviewLines, postReviewLines).map((row) => {
    const colours = row.before === null ? after[(row.after ?? 0) - 1] : before[row.before - 1];
    return { ...row, colours: colours ?? "" };
  });
}

/** Largest body that is read, in bytes: a note of the longest kind, in characters of four bytes, and what is around it. */
const MAX_BODY_BYTES = 64 * 1024;

/** The page's own scripts, compiled. */
const PAGE_FOLDER = join(import.meta.dirname, "page");

/** The review page, and what it asks for and tells. */
export async function reviewRoutes(session: ReviewSession): Promise<Hono> {
  const scripts = await loadScripts();
  const routes = new Hono();
  routes.get("/", sendDocument);
  routes.get("/page/:name", (context) => {
    const script = scripts.get(context.req.param("name"));
    if (script === undefined) return context.notFound();
    return context.body(script, 200, { "content-type": "text/javascript; charset=utf-8" });
  });
  routes.get("/api/state", (context) => context.json(session.state()));
  routes.get("/api/examples/:position{[0-9]{1,9}}", async (context) => {
    const shown = await session.show(Number(context.req.param("position")));
    return shown === null ? context.notFound() : context.json(shown);
  });
  routes.post(
    "/api/decisions",
    ...writing(session, decisionRequest, ({ example_id: id, note, ...choice }) => session.decide(id, choice, note)),
  );
  routes.post(
    "/api/questions",
    ...writing(session, questionRequest, ({ example_id: id, question, ...choice }) =>
      session.decideQuestion(id, question, choice),
    ),
  );
  routes.post("/api/notes", ...writing(session, noteRequest, ({ example_id: id, note }) => session.note(id, note)));
  return routes;
}

/** Checks what is to be saved, and saves it. */
function writing<T extends { readonly example_id: string }>(
  session: ReviewSession,
  schema: z.ZodType<T>,
  save: (asked: T) => Promise<Saved>,
): [MiddlewareHandler, MiddlewareHandler, (context: Context) => Promise<Response>] {
  const take = async (context: Context) => {
    const value: unknown = await context.req.json().catch(() => NOT_JSON);
    if (value === NOT_JSON) return refuse(context, 400, "Expected JSON.");
    const asked = schema.safeParse(value).data;
    if (asked === undefined || !session.has(asked.example_id)) {
      return refuse(context, 400, "Expected an example of this review and a known decision.");
    }
    try {
      return context.json(await save(asked));
    } catch (error) {
      return refuse(context, 500, `It could not be written: ${messageOf(error)}`);
    }
  };
  return [requireJson, withinLimit, take];
}

const NOT_JSON = Symbol("not JSON");

/** A form of another page cannot send this type without asking first. */
const requireJson: MiddlewareHandler = async (context, next) => {
  if (/^application\/json\b/i.test(context.req.header("content-type") ?? "")) return await next();
  return refuse(context, 415, "Expected a body of type application/json.");
};

const withinLimit = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: (context) => refuse(context, 413, `Expected at most ${MAX_BODY_BYTES} bytes.`, { connection: "close" }),
});

function sendDocument(context: Context): Response {
  const nonce = randomBytes(16).toString("base64");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return context.html(pageDocument(nonce), 200, { "content-security-policy": policy.join("; ") });
}

async function loadScripts(): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(PAGE_FOLDER)).filter((name) => name.endsWith(".js"));
  const files = names.map(async (name) => [name, await readFile(join(PAGE_FOLDER, name), "utf8")] as const);
  return new Map(await Promise.all(files));
}
