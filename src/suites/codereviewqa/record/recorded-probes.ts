import { CHANGE_TYPES } from "../../../dataset/example.js";
import type { LoadedProbe } from "../../../question/own-probe.js";
import { loadProbes } from "../../../question/probes.js";
import type { ChoiceProbe, ProbeDefinition } from "../../../question/question.js";
import type { RunFile } from "./run-file.js";

type RecordedProbe = NonNullable<RunFile["probes"]>[number];

/** Record of a probe of one's own in `run.json`: enough to score its answers without running its module again. */
export function recordedProbe({ probe, source, sha256 }: LoadedProbe): RecordedProbe {
  const classes = CHANGE_TYPES.map((changeType) => [changeType, probe.answerClass({ changeType })] as const);
  return {
    task: probe.task,
    source,
    sha256,
    title: probe.title,
    options: probe.optionCount,
    difficulties: [...probe.difficulties],
    answer_classes: Object.fromEntries(classes),
  };
}

/** The probes that come with the program, and those of the runs' own. What is recorded of a probe asks no questions. */
export async function probesOf(runs: readonly RunFile[]): Promise<ReadonlyMap<string, ProbeDefinition>> {
  const own = runs.flatMap(({ probes = [] }) => probes);
  return new Map([...(await loadProbes()), ...own.map((probe) => [probe.task, scoredProbe(probe)] as const)]);
}

function scoredProbe({ task, title, options, difficulties, answer_classes: classes }: RecordedProbe): ChoiceProbe {
  return {
    kind: "choice",
    task,
    title,
    difficulties,
    optionCount: options,
    order: Number.POSITIVE_INFINITY,
    isEligible: () => false,
    stem: () => ({}),
    options: () => [],
    answerClass: ({ changeType }) => classes[changeType] ?? null,
  };
}
