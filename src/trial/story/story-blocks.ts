import { groupBy } from "../../base/grouping.js";
import { shorten } from "../../base/text.js";
import type { Block, Inline } from "../../report/block.js";
import {
  type ColumnOf,
  heading,
  leftColumn,
  notice,
  numberColumn,
  rightColumn,
  sentence,
  tableOf,
  textCell,
  textColumn,
} from "../../report/make-block.js";
import { DASH, durationText, money, numberText } from "../../report/number-text.js";
import type { BlockSection } from "../../report/page.js";
import { patchedFiles } from "../../workspace/patched-files.js";
import type { Story } from "./read-story.js";
import type { Step } from "./transcript.js";

/** Steps and lines that are shown of what may be longer. */
const MOST_STEPS = 200;
const MOST_LINES = 300;
/** Last lines of what tests and commands print: there runners say what failed. */
const MOST_OUTPUT = 60;
const MOST_WORDS = 300;
const MOST_FILES = 12;

/** A trial in the order in which it went: the outcome, the steps, the patch beside a right one, the grading. */
export function storySections(story: Story): BlockSection[] {
  return [
    { id: "steps", title: "What happened", blocks: [...outcomeBlocks(story), ...stepBlocks(story)] },
    { id: "patch", title: "What it changed", blocks: patchBlocks(story) },
    { id: "grading", title: "How it was graded", blocks: gradingBlocks(story) },
  ];
}

/** Outcome in a word or two. */
export function outcomeText({ record, passed, headline }: Story): string {
  if (passed === null) return record.status === "graded" ? `${headline} not known` : record.status.replace("_", " ");
  return passed ? "passed" : "failed";
}

function outcomeBlocks(story: Story): Block[] {
  const { passed, failure } = story;
  const tone = passed === null ? "warning" : passed ? "good" : "bad";
  const outcome = story.headline === "passed" ? outcomeText(story) : `${outcomeText(story)} (${story.headline})`;
  const text = failure === null ? `${outcome}.` : `${outcome}. ${shorten(failure, 500)}`;
  const capital = text.charAt(0).toUpperCase() + text.slice(1);
  return [notice(tone, capital), { kind: "facts", facts: factsOf(story) }];
}

function factsOf({ record, steps, place, patch }: Story): { name: string; parts: readonly Inline[] }[] {
  const { agent, condition, trial, agent_end, attempts, calls, reported_success } = record;
  const says = reported_success === null ? "" : reported_success ? ", says: done" : ", says: not done";
  const tokens =
    record.prompt_tokens === null && record.completion_tokens === null
      ? "not told"
      : `${numberText(record.prompt_tokens, "count")} of prompts, ${numberText(record.completion_tokens, "count")} written`;
  const cost = record.cost_usd === null ? "not known" : money(record.cost_usd, "USD");
  const time = [record.duration_ms, record.grading_ms].map((ms) => (ms === null ? DASH : durationText(ms)));
  const facts: readonly (readonly [string, string])[] = [
    ["agent", `${agent}, ${condition}, trial ${trial}`],
    ["end", `${(agent_end ?? "none").replaceAll("_", " ")}${says}`],
    ["attempts, calls", `${attempts ?? DASH}, ${calls ?? DASH}`],
    ["time", `${time[0]}, grading ${time[1]}`],
    ["tokens", tokens],
    ["cost", cost],
    ...didFacts(steps),
    ["changed", namesText(changedIn(patch))],
    ["files", place],
  ];
  return facts.map(([name, text]) => ({ name, parts: [text] }));
}

/** Names of what was read, written, removed and run; a command has these by its own word, where it tells them. */
function didFacts(steps: readonly Step[]): (readonly [string, string])[] {
  if (steps.every(({ kind }) => kind === "command")) return [];
  const says = steps.some(({ kind }) => kind === "command") ? ", it says" : "";
  return (["read", "wrote", "removed", "ran"] as const).flatMap((kind) => {
    const names = namesOf(steps, kind);
    return kind === "removed" && names.length === 0 ? [] : [[`${kind}${says}`, namesText(names)] as const];
  });
}

/** Names of what was read, written, removed or run; what went wrong was run, but neither read nor written. */
function namesOf(steps: readonly Step[], kind: Step["kind"]): string[] {
  return steps
    .filter((step) => step.kind === kind && (kind === "ran" || !step.isFault))
    .map(({ what }) => shorten(what, 80));
}

function changedIn(patch: string): string[] {
  return patchedFiles(patch).map(({ before, after }) => after ?? `${before ?? ""} (removed)`);
}

/** Each name once and with how often, the first few. */
function namesText(all: readonly string[]): string {
  const counts = [...groupBy(all, (name) => name)].map(([name, { length }]) => [name, length] as const);
  const names = counts.map(([name, count]) => `${name}${count > 1 ? ` (${count} times)` : ""}`);
  const more = names.length > MOST_FILES ? [`${names.length - MOST_FILES} more`] : [];
  return names.length === 0 ? "nothing" : [...names.slice(0, MOST_FILES), ...more].join(", ");
}

function stepBlocks({ steps, agentOutput }: Story): Block[] {
  const output = agentOutput.trim() === "" ? [] : [folded("What the agent's command printed", agentOutput)];
  if (steps.length === 0) return [sentence("No steps are recorded: its patch is all that is known."), ...output];
  const more = steps.length > MOST_STEPS ? [sentence(`… ${steps.length - MOST_STEPS} more steps.`)] : [];
  const columns = steps.some(({ tokens }) => tokens !== null) ? [...STEPS, ...TOKENS] : STEPS;
  return [tableOf(null, columns, steps.slice(0, MOST_STEPS), { isCards: true }), ...more, ...output];
}

const STEPS: readonly ColumnOf<Step>[] = [
  textColumn("step", "step", stepText, { width: 60 }),
  leftColumn("result", "outcome", ({ result, isFault }) => textCell(result, isFault ? "bad" : undefined), {
    width: 60,
  }),
  rightColumn("at", "at", ({ atMs }) => textCell(atMs === null ? DASH : durationText(atMs))),
];

/** Columns of a model's turns. */
const TOKENS: readonly ColumnOf<Step>[] = [
  numberColumn("prompt", "prompt", "count", ({ tokens }) => tokens?.prompt, { importance: 3 }),
  numberColumn("completion", "written", "count", ({ tokens }) => tokens?.completion, { importance: 2 }),
];

/** A step in words, with its phase and, behind the first, its attempt. */
function stepText({ attempt, phase, kind, what }: Step): string {
  const parts = [...(attempt > 0 ? [`attempt ${attempt + 1}`] : []), ...(phase === null ? [] : [phase])];
  return `${parts.length === 0 ? "" : `${parts.join(", ")}: `}${kind === "command" ? "ran" : kind} ${shorten(what, MOST_WORDS)}`;
}

function patchBlocks({ patch, goldPatch, record }: Story): Block[] {
  const own = patch === "" ? sentence("Nothing.") : patchCode(patch);
  if (goldPatch === null) {
    if (record.agent !== "scripted:gold") return [own, sentence(NO_GOLD)];
    return patch === "" ? [own] : [own, sentence("This is the right solution.")];
  }
  const card = (title: string, block: Block): Block => ({
    kind: "group",
    layout: "card",
    blocks: [heading(3, title), block],
  });
  const right = goldPatch === "" ? sentence("Nothing.") : patchCode(goldPatch);
  return [{ kind: "group", layout: "sides", blocks: [card("This trial", own), card("A right solution", right)] }];
}

const NO_GOLD = "The run has no right solution to put beside it: one with --controls has.";

function patchCode(patch: string): Block {
  // Hashes of files tell a reader nothing.
  const lines = patch
    .trimEnd()
    .split("\n")
    .filter((line) => !/^index [0-9a-f]+\.\./.test(line));
  const more = lines.length > MOST_LINES ? [`… ${lines.length - MOST_LINES} more lines`] : [];
  return { kind: "code", of: "patch", text: [...lines.slice(0, MOST_LINES), ...more].join("\n") };
}

function gradingBlocks({ record, output }: Story): Block[] {
  const scores = Object.entries(record.scores).filter(([, value]) => value !== null);
  const facts = scores.map(([name, value]) => ({
    name,
    parts: [typeof value === "number" ? numberText(value, Number.isInteger(value) ? "count" : "ratio") : String(value)],
  }));
  const shown: Block[] = facts.length === 0 ? [sentence("It has no scores.")] : [{ kind: "facts", facts }];
  return [...shown, ...(output.trim() === "" ? [] : [folded("Output of the grading", output)])];
}

/** Last lines of what was printed. */
function folded(name: string, text: string): Block {
  const lines = text.trimEnd().split("\n");
  const isCut = lines.length > MOST_OUTPUT;
  const shown = lines.slice(-MOST_OUTPUT).map((line) => shorten(line.replaceAll("\t", "  "), MOST_WORDS));
  const summary = isCut ? `${name}, the last ${MOST_OUTPUT} of ${lines.length} lines` : name;
  return { kind: "details", summary, blocks: [{ kind: "code", of: "output", text: shown.join("\n") }] };
}
