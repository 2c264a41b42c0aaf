import { columnsOf, type Table } from "../../../store/table.js";
import type { ExampleOutcome } from "./failure-shares.js";
import { isIn } from "./failure-shares.js";
import { analysedModel, type FailureAnalysis, type FailureReport } from "./failures.js";

/** An example that was generated for and probed, and the analysis it belongs to. */
interface FailedExample {
  readonly runId: string;
  readonly model: string | null;
  readonly match: string;
  readonly example: ExampleOutcome;
}

/** The table of `probe failures` with --out and --list: the examples behind the shares. */
export const FAILURES: Table<FailedExample> = {
  file: "failures.csv",
  title: "One row an example that was generated for and probed: which of its probes failed.",
  primaryKey: ["run_id", "example_id"],
  columns: columnsOf<FailedExample>([
    [
      "run_id",
      "string",
      "The run, as in run.json; of joined runs, their ids with + between them.",
      ({ runId }) => runId,
    ],
    ["model", "string", "The model as it was named on the command line.", ({ model }) => model],
    ["example_id", "string", "The example, as in the dataset.", ({ example }) => example.exampleId],
    ["language", "string", "Language of the code.", ({ example }) => example.language],
    ["change_type", "string", "add, delete or modify: what the review asks for.", ({ example }) => example.changeType],
    [
      "match",
      "string",
      "Match that acr_match is: a column of generations.csv, em unless --match says otherwise.",
      ({ match }) => match,
    ],
    [
      "acr_match",
      "boolean",
      "True if the generated revision is the post-review code; false for a failed generation.",
      ({ example }) => example.match,
    ],
    [
      "acr_status",
      "string",
      "complete, truncated, empty or failed, as in generations.csv.",
      ({ example }) => example.status,
    ],
    [
      "ctr_failed",
      "boolean",
      "True if CTR was not right under all orders; empty where it was not asked.",
      ({ example }) => isIn("CTR", example),
    ],
    [
      "cl_easy_failed",
      "boolean",
      "True if CL easy was not right under all orders.",
      ({ example }) => isIn("CL_easy", example),
    ],
    [
      "cl_hard_failed",
      "boolean",
      "True if CL hard was not right under all orders.",
      ({ example }) => isIn("CL_hard", example),
    ],
    ["cl_failed", "boolean", "Failed at either difficulty.", ({ example }) => isIn("CL", example)],
    [
      "si_easy_failed",
      "boolean",
      "True if SI easy was not right under all orders; empty for a deletion, which SI is not asked of.",
      ({ example }) => isIn("SI_easy", example),
    ],
    [
      "si_hard_failed",
      "boolean",
      "True if SI hard was not right under all orders.",
      ({ example }) => isIn("SI_hard", example),
    ],
    ["si_failed", "boolean", "Failed at either difficulty.", ({ example }) => isIn("SI", example)],
    ["any_failed", "boolean", "Failed at least one of the probes it was asked.", ({ example }) => isIn("any", example)],
    [
      "lost_questions",
      "integer",
      "Questions counted as failed only because orders failed or were undecided.",
      ({ example }) => example.probes.filter(({ lost }) => lost).length,
    ],
  ]),
};

/** The rows of the examples that are wanted. */
export function failedExamples(report: FailureReport, isWanted: (example: ExampleOutcome) => boolean): FailedExample[] {
  return report.analyses.flatMap((analysis) => {
    const [runId, model] = [runIdsOf(analysis), analysedModel(analysis)];
    const examples = analysis.examples.filter(isWanted);
    return examples.map((example) => ({ runId, model, match: report.match, example }));
  });
}

/** The run's id; of joined runs, theirs with `+` between them. */
export function runIdsOf({ runs }: FailureAnalysis): string {
  return runs.map(({ run }) => run.run_id).join("+");
}
