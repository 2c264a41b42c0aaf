import { fillTemplate, loadPrompt } from "../../base/prompt-template.js";
import type { Converse } from "../../model/conversation.js";
import { workAtOnce } from "../../run/asking.js";
import { type JudgePrompt, ratingRequest } from "../judging.js";
import { objectsInReply } from "../reply-json.js";

/** Class of failures. */
export interface FailureClass {
  readonly id: string;
  readonly title: string;
  /** Meaning in a sentence, for the model that sorts. */
  readonly meaning: string;
}

/** Criterion that a submission does not meet. */
export interface Failure {
  readonly criterion: string;
  /** Reason in the judge's words; `null`: it gave none. */
  readonly why: string | null;
  readonly submission: string;
}

/** Failure that was made up so that its class is known. */
export interface KnownFailure extends Failure {
  readonly classId: string;
}

/** Classes of failures, and the question for one. */
export interface Classing {
  readonly classes: readonly FailureClass[];
  /** Controls of the model that sorts, as many of each class. */
  readonly known: readonly KnownFailure[];
  /** @param classes in the order in which they are told */
  prompt(failure: Failure, classes: readonly FailureClass[]): JudgePrompt;
}

/** Longest submission that is shown to who sorts, in characters. */
const MOST_SHOWN = 16_000;

/** Sorting by the prompts of a suite for it. */
export async function classingOf(
  suite: string,
  classes: readonly FailureClass[],
  known: readonly KnownFailure[],
): Promise<Classing> {
  const [system, user] = await Promise.all([
    loadPrompt(`suites/${suite}/class_system`),
    loadPrompt(`suites/${suite}/class_user`),
  ]);
  return {
    classes,
    known,
    prompt: ({ criterion, why, submission }, told) => ({
      system: system.text,
      user: fillTemplate(user, {
        criterion,
        why: why ?? "None is told.",
        submission: submission.slice(0, MOST_SHOWN),
        classes: told.map(({ id, meaning }) => `- ${id}: ${meaning}`).join("\n"),
      }),
      responseFormat: "json",
    }),
  };
}

/** Reply about a failure: a class; `unreadable`: it names none; `lost`: nobody replied. */
export type ClassVote =
  | { readonly status: "read"; readonly classId: string }
  | { readonly status: "unreadable" }
  | { readonly status: "lost"; readonly detail: string };

/** Failure with its votes: the classes told in their order, and in the reverse. */
export interface Classed<T extends Failure> {
  readonly failure: T;
  readonly votes: readonly ClassVote[];
}

/** Times that each failure is asked about. */
export const ASKINGS = 2;

/** Model that sorts, as it is asked. */
interface Sorter {
  readonly converse: Converse;
  readonly atOnce: number;
  readonly seed: number;
}

/** Asks for the class of each failure twice, one choice each; ends early when the signal is aborted. */
export async function classify<T extends Failure>(
  classing: Classing,
  failures: readonly T[],
  { converse, atOnce, seed }: Sorter,
  signal: AbortSignal,
): Promise<Classed<T>[]> {
  const votes = new Map<string, ClassVote>();
  const isOver = () => signal.aborted;
  await workAtOnce(questions(classing, failures), atOnce, isOver, async ({ place, asking, prompt }) => {
    const key = { taskId: "", condition: "", trial: 0, attempt: asking, turn: 0 };
    const reply = await converse(ratingRequest(prompt, { temperature: 0, seed, key }), signal);
    const vote: ClassVote =
      reply.status === "said"
        ? readClass(classing.classes, reply.text ?? "")
        : { status: "lost", detail: `${reply.failure}: ${reply.detail}` };
    votes.set(`${place} ${asking}`, vote);
  });
  return failures.map((failure, place) => ({
    failure,
    votes: Array.from({ length: ASKINGS }, (_, asking) => votes.get(`${place} ${asking}`) ?? UNASKED),
  }));
}

const UNASKED: ClassVote = { status: "lost", detail: "not asked yet" };

async function* questions(classing: Classing, failures: readonly Failure[]) {
  for (const [place, failure] of failures.entries())
    for (let asking = 0; asking < ASKINGS; asking++) {
      const classes = asking % 2 === 0 ? classing.classes : classing.classes.toReversed();
      yield { place, asking, prompt: classing.prompt(failure, classes) };
    }
}

/** Class that a reply names. Of objects that differ, such as one that the answer had and the model quotes, none is meant. */
export function readClass(classes: readonly FailureClass[], reply: string): ClassVote {
  const named = new Set(objectsInReply(reply, "class").map((each) => each["class"]));
  const [name] = named;
  const text = typeof name === "string" ? name.trim().toLowerCase() : null;
  const found = named.size === 1 ? classes.find(({ id }) => id === text) : undefined;
  return found === undefined ? { status: "unreadable" } : { status: "read", classId: found.id };
}

/** Class that all askings name; `null`: they differ, or one cannot be read. */
export function classOf({ votes }: Pick<Classed<Failure>, "votes">): string | null {
  const named = new Set(votes.map((vote) => (vote.status === "read" ? vote.classId : null)));
  const [only = null] = named;
  return named.size === 1 ? only : null;
}
