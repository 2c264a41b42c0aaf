import { ProbeError } from "../../base/errors.js";
import type { Model } from "../model.js";

/** Measurements of the canaries. */
export interface CanaryMeasures {
  /** Forced questions answered rightly, of four. */
  readonly right: number;
  /** Mean probability of the four symbols together, over the forced questions. */
  readonly symbolMass: number;
  /** Largest difference, nats, between two askings of the same prompt. */
  readonly repeatDifference: number;
}

/** One way to take an answer from a model, and what the canaries said of it. */
export interface CheckedWay {
  /** Such as `llama.cpp /completion with grammar`. */
  readonly way: string;
  /** What the `extraction` column says of its answers; for other things than answers, which of them (see `Lack`). */
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
  /** The way that is used for what the model was opened for, first of all for answers; `null`: none works. */
  readonly chosen: string | null;
  /** Whether `--force` overrode a refusal. */
  readonly forced: boolean;
  /** The body of a request in that way, with `{prompt}` in the prompt's place: enough to repeat a call by hand. */
  readonly request: { readonly path: string; readonly body: unknown } | null;
}

/** What a model was asked for and does not give, by the `extraction` of its ways; `answers`: those of a question. */
export type Lack = "answers" | "sequence" | "completion" | "infill" | "embedding" | "conversation" | "tools";

const LACKS: Readonly<Record<Lack, { readonly expected: string; readonly advice: string }>> = {
  answers: {
    expected: "report the log probabilities of a prompt's next token",
    advice:
      "Use a server that does (vLLM, llama.cpp), another --prompt-mode, or --allow-generated to take the letter it writes, " +
      "without probabilities. --force runs all the same, and the report says so.",
  },
  sequence: {
    expected: "report the log probabilities of a whole text's tokens",
    advice:
      "Use the same GGUF file in process (--model path/to/model.gguf), vLLM, or a server whose completions honour echo.",
  },
  completion: {
    expected: "continue a prompt",
    advice: "Use another --prompt-mode, another server, or a GGUF file in process (--model path/to/model.gguf).",
  },
  infill: {
    expected: "fill a gap in a text",
    advice:
      "Use a model with fill-in-the-middle tokens, as a GGUF file in process (--model path/to/model.gguf) or behind " +
      "llama.cpp's server; or an API whose completions take `suffix`.",
  },
  conversation: {
    expected: "take part in a conversation",
    advice: "Use a server with chat completions, or a GGUF file in process (--model path/to/model.gguf).",
  },
  tools: {
    expected: "call tools",
    advice:
      "Start the server so that it does (llama.cpp: --jinja; vLLM: --enable-auto-tool-choice), add --tool-protocol text, " +
      "or use a GGUF file in process (--model path/to/model.gguf), which calls them under a grammar.",
  },
  embedding: {
    expected: "make vectors of texts",
    advice:
      "Start llama.cpp's server with --embeddings --pooling mean, name a server of an embedding model, or use a GGUF file " +
      "in process (--model path/to/model.gguf).",
  },
};

/** No way works: the model is refused. */
export class CheckRefusal extends ProbeError {
  readonly report: CheckReport;

  constructor(label: string, report: CheckReport, lack: Lack) {
    const kindOf = ({ extraction }: CheckedWay) => (Object.hasOwn(LACKS, extraction) ? extraction : "answers");
    const reasons = report.ways
      .filter((way) => kindOf(way) === lack)
      .filter(({ status }) => status === "refused" || status === "not_offered")
      .map(({ way, notes }) => `  ${way}: ${notes.join("; ")}`);
    const { expected, advice } = LACKS[lack];
    super(
      "model_unavailable",
      `Expected ${label} to ${expected}, found no way that does:\n` +
        `${reasons.length > 0 ? reasons.join("\n") : "  its API has no such request"}\nNothing was asked. ${advice}`,
    );
    this.report = report;
  }
}

/**
 * What the check of a server warns of: of the way to numbers, and of the way to completions where that is another and
 * `writes` says that it is used.
 */
export function checkNotes({ check }: Pick<Model, "check">, { writes }: { readonly writes: boolean }): string[] {
  const chosen = check?.ways.find(({ way }) => way === check.chosen);
  if (check === undefined || chosen === undefined) return [];
  const writing = check.ways.find(({ extraction, status }) => extraction === "completion" && status === "works");
  const forced = check.forced ? ["FORCED: the check refused this server; its numbers may mean nothing."] : [];
  const used = new Set([chosen, ...(writing === undefined || !writes ? [] : [writing])]);
  return [...forced, ...[...used].flatMap(({ way, notes }) => notes.map((note) => `Model check (${way}): ${note}.`))];
}
