import { ProbeError } from "../../domain/errors.js";
import { SEQUENCE } from "./echo.js";
import type { CanaryMeasures } from "./judge.js";

/** One way to take an answer from a model, and what the canaries said of it. */
export interface CheckedWay {
  /** Such as `llama.cpp /completion with grammar`. */
  readonly way: string;
  /** What the `extraction` column says of its answers. */
  readonly extraction: string;
  readonly status: "works" | "refused" | "not_offered" | "not_tried";
  /** Why not, or what to be warned of. */
  readonly notes: readonly string[];
  readonly measures: CanaryMeasures | null;
}

/** What was found out about a model before it was asked anything; goes into `run.json`. */
export interface CheckReport {
  /** Where it was reached, without secrets. */
  readonly endpoints: readonly string[];
  /** What the server says of itself. */
  readonly server: Readonly<Record<string, string | number | null>>;
  readonly ways: readonly CheckedWay[];
  /** The way that is used; `null`: none works. */
  readonly chosen: string | null;
  /** Whether `--force` overrode a refusal. */
  readonly forced: boolean;
  /** The body of a request in that way, with `{prompt}` in the prompt's place: enough to repeat a call by hand. */
  readonly request: { readonly path: string; readonly body: unknown } | null;
}

/** What a model was asked for and does not give. */
export type Lack = "answers" | "sequence";

const LACKS: Readonly<Record<Lack, { readonly expected: string; readonly advice: string }>> = {
  answers: {
    expected: "the log probabilities of a prompt's next token",
    advice:
      "Use a server that does (vLLM, llama.cpp), another --prompt-mode, or --allow-generated to take the letter it writes, " +
      "without probabilities. --force runs all the same, and the report says so.",
  },
  sequence: {
    expected: "the log probabilities of a whole text's tokens (sequence=required)",
    advice: "Use a GGUF file in process, or a server whose completions honour echo.",
  },
};

/** No way works: the model is refused. */
export class CheckRefusal extends ProbeError {
  readonly report: CheckReport;

  constructor(label: string, report: CheckReport, lack: Lack) {
    const reasons = report.ways
      .filter(({ extraction }) => (extraction === SEQUENCE) === (lack === "sequence"))
      .filter(({ status }) => status === "refused" || status === "not_offered")
      .map(({ way, notes }) => `  ${way}: ${notes.join("; ")}`);
    super(
      "model_unavailable",
      `Expected ${label} to report ${LACKS[lack].expected}, found no way that does:\n${reasons.join("\n")}\n` +
        `Nothing was asked. ${LACKS[lack].advice}`,
    );
    this.report = report;
  }
}
