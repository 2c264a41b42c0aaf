import { shellWord } from "../base/text.js";
import type { Block } from "../report/block.js";
import { plainWords, STATE_WORDS } from "../report/judgement-words.js";
import { heading, sentence } from "../report/make-block.js";
import type { VerdictForm } from "../verdict/verdict.js";
import type { ScoredRun } from "./score-folder.js";

/** Models that nobody would ask for their own sake. */
const TRIAL_MODEL = /^(tiny$|scripted:)/;

/**
 * Words behind the tables of a run for a person at the terminal: what each number means, and what comes next.
 * @param command that makes runs of the suite, such as `probe run`
 */
export function nextSteps({ folder, run, score }: ScoredRun, command: string): Block[] {
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
    ...(choices.length === 0 ? [] : [furtherRun(command, run.model.label, choices)]),
  ];
  return [
    ...(meanings.length === 0 ? [] : [heading(3, "What it means"), ...meanings]),
    heading(3, "Next"),
    { kind: "list", items: lines.map((line) => [line]) },
  ];
}

function furtherRun(command: string, label: string, forms: readonly VerdictForm[]): string {
  const asked = `--task ${[...new Set(forms.map(({ task }) => task))].join(",")}`;
  return TRIAL_MODEL.test(label)
    ? `${command} --model path/to/model.gguf ${asked}: the same, asked of a model of yours (servers: probe models check)`
    : `${command} --model ${shellWord(label)} ${asked} --ablate review: does it need the review at all?`;
}
