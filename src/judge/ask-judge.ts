import { noopAgent } from "../agent/scripted-agents.js";
import { sha256 } from "../base/sha256.js";
import type { ConversationKey, ConversationReply, ConversationRequest, Converse } from "../model/conversation.js";
import { workAtOnce } from "../run/asking.js";
import type { OpenJournal, Performance } from "../run/suite.js";
import type { BenchTask } from "../trial/bench-task.js";
import { readArtifacts } from "../trial/trial-artifacts.js";
import { isLost, outcomeOf, TRIALS, type TrialRecord } from "../trial/trial-records.js";
import { itemsOf } from "../trial/trial-run.js";
import { type JudgedRequest, type JudgedRun, questionsOf } from "./judged-run.js";
import { type Criterion, type Judging, ratingRequest, type Submitted } from "./judging.js";
import type { OpenJudge } from "./open-judge.js";
import { RATINGS, type RatingRecord } from "./rating-records.js";

interface Work<Task extends BenchTask> {
  readonly judging: Judging<Task>;
  /** Tasks in the order of the run. */
  readonly tasks: readonly Task[];
  readonly run: Pick<JudgedRun, "agents" | "conditions" | "tasks" | "criteria">;
  readonly request: Pick<JudgedRequest, "values">;
  readonly session: Performance;
  readonly judge: OpenJudge;
}

/** A question that the journal holds no verdict on yet. */
interface Open<Task extends BenchTask> {
  readonly task: Task;
  readonly record: TrialRecord;
  readonly criterion: Criterion;
  readonly number: number;
  readonly vote: number;
  readonly place: number;
  /** `null`: there is nothing to judge. */
  readonly submitted: Submitted | null;
  /** Replies about this trial, by vote and question. */
  readonly replies: Replies;
}

type Replies = Map<string, Promise<ConversationReply>>;

/** Asks the judge about every trial that was made, as far as the journal does not hold it. */
export async function askJudge<Task extends BenchTask>(work: Work<Task>): Promise<void> {
  const { session, judge } = work;
  const { guard, signal } = session;
  const asked = await judge.asking(session);
  const firsts: Replies = new Map();
  try {
    await session.withJournal(TRIALS, (trials) =>
      session.withJournal(RATINGS, async (journal) => {
        const isOver = () => guard.gaveUp !== null || signal.aborted;
        await workAtOnce(openQuestions(work, trials, journal), judge.atOnce, isOver, async (question) => {
          const record = await rate(work, question, firsts, asked.converse);
          await journal.append(record);
          session.onRecord({ isFailed: record.status === "lost" });
          guard.isHopeless({ outcome: outcomeOf(record.status === "lost", record) });
        });
      }),
    );
  } finally {
    await asked.close();
  }
}

async function* openQuestions<Task extends BenchTask>(
  work: Work<Task>,
  trials: OpenJournal<TrialRecord>,
  journal: OpenJournal<RatingRecord>,
): AsyncGenerator<Open<Task>> {
  const { run, tasks, request } = work;
  for (let item = 0; item < itemsOf(run); item++) {
    const task = tasks[item % tasks.length];
    const perTrial = questionsOf(run, item, request.values.judgeVotes);
    if (task === undefined) continue;
    for (const record of await trials.recordsOf(item)) {
      const first = record.trial * perTrial;
      const places = Array.from({ length: perTrial }, (_, i) => first + i);
      if (isLost(record) || places.every((place) => journal.isDone(item, place))) continue;
      yield* questionsOn(work, task, record, (place) => journal.isDone(item, place), first);
    }
  }
}

async function* questionsOn<Task extends BenchTask>(
  work: Work<Task>,
  task: Task,
  record: TrialRecord,
  isDone: (place: number) => boolean,
  first: number,
): AsyncGenerator<Open<Task>> {
  const votes = work.request.values.judgeVotes;
  const submitted = await submittedIn(work, task, record);
  const replies: Replies = new Map();
  for (const [number, criterion] of work.judging.criteria(task).entries()) {
    for (let vote = 0; vote < votes; vote++) {
      const place = first + number * votes + vote;
      if (!isDone(place)) yield { task, record, criterion, number, vote, place, submitted, replies };
    }
  }
}

/**
 * Submission of a trial; `null`: nothing, or nothing that would be asked about. Controls are asked about all the same.
 */
async function submittedIn<Task extends BenchTask>(
  { judging, run, session }: Work<Task>,
  task: Task,
  record: TrialRecord,
): Promise<Submitted | null> {
  if (record.status !== "graded") return null;
  const place = { folder: session.folder, run };
  if (judging.submitted !== undefined) return judging.submitted(record, place);
  const submitted = await readArtifacts(place.folder, run, record);
  return judging.isEmpty(task, submitted) && record.agent !== noopAgent.name ? null : submitted;
}

async function rate<Task extends BenchTask>(
  work: Work<Task>,
  question: Open<Task>,
  firsts: Replies,
  converse: Converse,
): Promise<RatingRecord> {
  const { judging, request } = work;
  const { task, record, criterion, number, vote, submitted, replies } = question;
  const about = aboutOf(question);
  // The submission's hash leaves out the judge's words about the task before.
  const plain = submitted === null ? null : judging.prompt(task, criterion, submitted, null);
  if (submitted === null || plain === null) return { ...about, ...NOTHING_SAID, status: "not_asked" };
  const read = (text: string) => judging.read(task, criterion, text);
  const judged = { ...about, submission_sha256: sha256(JSON.stringify(plain)) };
  const first = await saidFirst(work, task, firsts, converse);
  if (first?.status === "failed" && !isLasting(first)) return { ...judged, ...saidIn(first, read) };
  const said = first?.status === "said" ? first.text : null;
  const prompt = said === null ? plain : (judging.prompt(task, criterion, submitted, said) ?? plain);
  const { condition, task_id, trial } = record;
  const key = { taskId: task_id, condition, trial, attempt: vote, turn: number };
  const asked = sha256(JSON.stringify({ prompt, vote }));
  const isShared = replies.has(asked);
  const reply = await askOnce(converse, replies, asked, ratingRequest(prompt, mannerOf(request, key)));
  const isSilent = reply.status === "failed" && isLasting(reply);
  const ofGold = isSilent ? await saidOfGold(work, question, said, { firsts, converse }) : null;
  if (ofGold?.status === "failed" && !isLasting(ofGold)) return { ...judged, ...saidIn(ofGold, read) };
  const refused = ofGold?.status === "said" ? ({ status: "refused", score: 0 } as const) : {};
  const found = { ...judged, ...saidIn(reply, read), ...refused };
  return isShared ? { ...found, shares_reply: true, prompt_tokens: null, completion_tokens: null } : found;
}

/**
 * A judge's reply to the same question about the right solution: where there is one, what was handed in is why it does not
 * reply, such as words beyond what it can read, and nobody gets out of the rates by them. `null`: submissions are compared,
 * of which none fails.
 */
async function saidOfGold<Task extends BenchTask>(
  { judging, request }: Work<Task>,
  { task, criterion, record, number }: Open<Task>,
  said: string | null,
  { firsts, converse }: { readonly firsts: Replies; readonly converse: Converse },
): Promise<ConversationReply | null> {
  const prompt =
    judging.submitted === undefined ? judging.prompt(task, criterion, await judging.sample(task), said) : null;
  if (prompt === null) return null;
  const key = { taskId: task.id, condition: record.condition, trial: 0, attempt: 0, turn: number };
  const id = sha256(JSON.stringify(prompt));
  return askOnce(converse, firsts, id, ratingRequest(prompt, mannerOf(request, key)));
}

function aboutOf<Task extends BenchTask>({ record, criterion, vote, place }: Open<Task>) {
  const { item, agent, condition, task_id, trial } = record;
  const { id: criterion_id, title, polarity, importance, scale } = criterion;
  return {
    item,
    place,
    agent,
    condition,
    task_id,
    trial,
    criterion_id,
    title,
    polarity,
    importance,
    ...(scale && { scale }),
    vote,
  };
}

/** The judge's reply about a task before any trial, once a session; `null`: it is not asked. */
async function saidFirst<Task extends BenchTask>(
  { judging, request }: Work<Task>,
  task: Task,
  firsts: Replies,
  converse: Converse,
): Promise<ConversationReply | null> {
  const prompt = judging.first?.(task, { ...request.values }) ?? null;
  if (prompt === null) return null;
  const key = { taskId: task.id, condition: "", trial: 0, attempt: 0, turn: 0 };
  return askOnce(converse, firsts, task.id, ratingRequest(prompt, mannerOf(request, key)));
}

/** One reply a question, also while it is under way. */
function askOnce(
  converse: Converse,
  replies: Replies,
  id: string,
  request: ConversationRequest,
): Promise<ConversationReply> {
  const known = replies.get(id);
  if (known !== undefined) return known;
  // A failure that may pass is asked again.
  const reply = converse(request, new AbortController().signal).then((said) => {
    if (said.status === "failed" && !isLasting(said)) replies.delete(id);
    return said;
  });
  replies.set(id, reply);
  return reply;
}

const NOTHING_SAID = {
  verdict: null,
  score: null,
  score_published: null,
  justification: null,
  detail: null,
  submission_sha256: null,
  prompt_tokens: null,
  completion_tokens: null,
} as const;

/** Greedy unless told otherwise; further votes have seeds of their own. */
function mannerOf({ values }: Pick<JudgedRequest, "values">, key: ConversationKey) {
  return { temperature: values.judgeTemperature, seed: values.seed + key.attempt, key };
}

/** Tests for failures that would come again. */
function isLasting({ failure }: Extract<ConversationReply, { status: "failed" }>): boolean {
  return failure === "context_overflow" || failure === "refused";
}

function saidIn(reply: ConversationReply, read: (text: string) => ReturnType<Judging["read"]>) {
  if (reply.status === "failed") {
    const { submission_sha256: _, ...nothing } = NOTHING_SAID;
    const detail = `${reply.failure}: ${reply.detail}`;
    return { ...nothing, status: isLasting(reply) ? ("unreadable" as const) : ("lost" as const), detail };
  }
  const { verdict, score, scorePublished, breaksPublished, justification } = read(reply.text ?? "");
  return {
    status: score === null ? ("unreadable" as const) : ("read" as const),
    verdict,
    score,
    justification,
    score_published: scorePublished,
    ...(breaksPublished && { breaks_published: true }),
    detail: score === null ? "the reply holds no verdict" : null,
    prompt_tokens: reply.promptTokens,
    completion_tokens: reply.completionTokens,
  };
}
