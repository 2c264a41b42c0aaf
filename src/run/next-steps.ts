import { shellWord } from "../base/text.js";
import type { GivenOptions } from "../console/option.js";
import type { Block } from "../report/block.js";
import { plainWords, STATE_WORDS } from "../report/judgement-words.js";
import { heading, sentence } from "../report/make-block.js";
import type { ScoredRun } from "./score-folder.js";

/** Models that nobody would ask for their own sake. */
const TRIAL_MODEL = /^(tiny$|scripted:)/;

/** The command that asks again what a run asked, with these options in place of its own. */
export type AskAgain = (instead: GivenOptions) => string;

/** Variables of the process, of which npm sets one: the command it was called by. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Commands that come next, with what each gives; behind `npx` where this one was called by it. */
export function nextBlocks(lines: readonly string[], { npm_command: called }: Environment): Block[] {
  const items = lines.map((line) => [called === "exec" && line.startsWith("probe ") ? `npx ${line}` : line]);
  return [heading(3, "Next"), { kind: "list", items }];
}

/** Words behind the tables of a run for a person at the terminal: what each number means, and what comes next. */
export function nextSteps({ folder, run, score }: ScoredRun, again: AskAgain, environment: Environment = {}): Block[] {
  const choices = score.verdicts.forms.filter(({ kind }) => kind === "choice");
  const judged = score.verdicts.forms.flatMap(({ name, judgement }) =>
    judgement === null ? [] : [{ name, judgement }],
  );
  const states = [...new Set(judged.map(({ judgement }) => judgement.state))];
  const meanings = states.map((state) => {
    const names = judged.filter(({ judgement }) => judgement.state === state).map(({ name }) => name);
    return sentence(`${names.join(", ")}: ${STATE_WORDS[state].text}: ${plainWords({ state })}`);
  });
  const lines = [
    `probe report ${shellWord(folder)}: the page, with every question`,
    ...(choices.length === 0 ? [] : [furtherRun(run, again)]),
  ];
  return [
    ...(meanings.length === 0 ? [] : [heading(3, "What it means"), ...meanings]),
    ...nextBlocks(lines, environment),
  ];
}

function furtherRun({ model, parameters }: ScoredRun["run"], again: AskAgain): string {
  if (TRIAL_MODEL.test(model.label)) {
    return `${again({ model: "path/to/model.gguf" })}: the same, asked of a model of yours (servers: probe models check)`;
  }
  const isAblated = [parameters["ablate"] ?? []].flat().length > 0;
  return isAblated
    ? "probe compare RUN RUN: this run and one of another model, tested"
    : `${again({ ablate: "review" })}: does it need the review at all?`;
}
