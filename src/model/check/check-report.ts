import { ProbeError } from "../../base/errors.js";
import { type Capability, isThinking, type Think } from "../requests.js";
import type { BodyChanges } from "../wire/ways.js";

/** Measurements of the canaries. */
export interface CanaryMeasures {
  /** Forced questions answered rightly, of four. */
  readonly right: number;
  /** Mean probability of the four symbols together, over the forced questions. */
  readonly symbolMass: number;
  /** Largest difference, nats, between two askings of the same prompt. */
  readonly repeatDifference: number;
}

/** One way to something that a model can do, and the result of its check. */
export interface CheckedWay {
  /** Name of the way, such as `/completion with grammar`. */
  readonly way: string;
  /** The `extraction` column of its answers; for other capabilities a name of the capability, such as `sequence`. */
  readonly extraction: string;
  readonly status: "works" | "refused" | "not_offered" | "not_tried";
  /** Reasons for a refusal, or warnings. */
  readonly notes: readonly string[];
  readonly measures: CanaryMeasures | null;
}

/** Report of the check of a model, before it was asked anything; goes into `run.json`. */
export interface CheckReport {
  /** URLs of its servers, without secrets. */
  readonly endpoints: readonly string[];
  /** Facts that the server tells of itself. */
  readonly server: Readonly<Record<string, string | number | null>>;
  readonly ways: readonly CheckedWay[];
  /** The way that is used for what the model was opened for, first of all for answers; `null`: none works. */
  readonly chosen: string | null;
  /** Ways out of a refusal, in sentences; absent: it was not refused. */
  readonly advice?: string;
  /** `true` where `--force` overrode a refusal. */
  readonly forced: boolean;
  /** The body of a request in that way, with `{prompt}` in the prompt's place: enough to repeat a call by hand. */
  readonly request: { readonly path: string; readonly body: unknown } | null;
  /** What is asked of thoughts, where no option speaks of them and the service has a way to switch them off. */
  readonly thoughts?: "off" | "as the model does";
  /** The ways that are used, for a run that is asked in batches: when it goes on, none is checked again. */
  readonly passed?: Readonly<Partial<Record<Capability, PassedWay>>>;
}

/** A way that was checked, and the changes to its requests that were learnt. */
interface PassedWay extends Partial<BodyChanges> {
  readonly way: string;
}

/** Tells if letters are read from what the model writes, maybe behind thoughts that nobody asked for. */
export function writesLetters({ ways, chosen }: Pick<CheckReport, "ways" | "chosen">): boolean {
  return ways.some(({ way, extraction }) => way === chosen && extraction === "generated");
}

/** Options of a model that is refused. */
interface Refused {
  readonly label: string;
  readonly think?: Think;
  readonly promptMode: "completion" | "chat";
  readonly connection: { readonly allowGenerated: boolean; readonly force: boolean };
  readonly settings: Readonly<Record<string, unknown>>;
}

function mayWriteLetters({ connection, settings }: Refused): boolean {
  return connection.allowGenerated || settings["extraction"] === "generated";
}

/** Ways out that were not taken yet. */
function waysToLetters(options: Refused): string {
  const { promptMode, connection } = options;
  const isAllowed = mayWriteLetters(options);
  const mode = `--prompt-mode ${promptMode === "chat" ? "completion" : "chat"}`;
  const written = "--allow-generated to take the letter it writes, without probabilities";
  const ways = isAllowed ? `or ${mode}` : `${mode}, or ${written}${promptMode === "chat" ? "" : ", or both"}`;
  const forced = connection.force ? "" : " --force runs all the same, and the report says so.";
  return `Use a server that does (vLLM, llama.cpp), ${ways}.${forced}`;
}

/** Capabilities as expected of a model, and the ways out where it lacks one. */
const LACKS: Readonly<
  Record<Capability, { readonly expected: string; readonly advice: string | ((options: Refused) => string) }>
> = {
  symbols: {
    expected: "report the log probabilities of a prompt's next token",
    advice: waysToLetters,
  },
  token_scores: {
    expected: "report the log probabilities of a whole text's tokens",
    advice:
      "Use the same GGUF file in process (--model path/to/model.gguf), vLLM, or a server whose completions honour echo.",
  },
  completions: {
    expected: "continue a prompt",
    advice: "Use another --prompt-mode, another server, or a GGUF file in process (--model path/to/model.gguf).",
  },
  infill: {
    expected: "fill a gap in a text",
    advice:
      "Use a model with fill-in-the-middle tokens, as a GGUF file in process (--model path/to/model.gguf) or behind " +
      "llama.cpp's server; or an API whose completions take `suffix`.",
  },
  conversations: {
    expected: "take part in a conversation",
    advice: "Use a server with chat completions, or a GGUF file in process (--model path/to/model.gguf).",
  },
  tools: {
    expected: "call tools",
    advice:
      "Start the server so that it does (llama.cpp: --jinja; vLLM: --enable-auto-tool-choice), add --tool-protocol text, " +
      "or use a GGUF file in process (--model path/to/model.gguf), which calls them under a grammar.",
  },
  embeddings: {
    expected: "make vectors of texts",
    advice:
      "Start llama.cpp's server with --embeddings --pooling mean, name a server of an embedding model, or use a GGUF file " +
      "in process (--model path/to/model.gguf).",
  },
};

/** Ways out that were not taken yet: a service takes written letters by chat, and thoughts of some models in one way alone. */
function waysToThoughts(options: Refused): string {
  const { promptMode, think } = options;
  const isAllowed = mayWriteLetters(options);
  const other = typeof think === "object" ? "an effort (--think low)" : "a number of tokens (--think TOKENS)";
  const way =
    isAllowed && promptMode === "chat"
      ? `Ask for ${other}, which some models take alone`
      : `Add ${isAllowed ? "" : "--allow-generated with "}--prompt-mode chat to take the letter it writes behind them`;
  return (
    `${way}; use a GGUF file in process, or vLLM or llama.cpp's server with a model whose template has thoughts; ` +
    "or leave --think out."
  );
}

/** What stands in the place of `symbols` where thoughts are asked for. */
const LACKS_THOUGHTS = {
  expected: "give a letter behind the thoughts that --think asks for",
  advice: waysToThoughts,
};

/** No way to a capability works: the model is refused. */
export class CheckRefusal extends ProbeError {
  readonly report: CheckReport;

  /** @param rows of `report`, those of the ways to the capability */
  constructor(options: Refused, report: CheckReport, lack: Capability, rows: readonly CheckedWay[]) {
    const reasons = rows
      .filter(({ status }) => status === "refused" || status === "not_offered")
      .map(({ way, notes }) => `  ${way}: ${notes.join("; ")}`);
    const { label, think } = options;
    const lacked = lack === "symbols" && isThinking(think) ? LACKS_THOUGHTS : LACKS[lack];
    const advice = typeof lacked.advice === "string" ? lacked.advice : lacked.advice(options);
    super(
      "model_unavailable",
      `Expected ${label} to ${lacked.expected}, found no way that does:\n` +
        `${reasons.length > 0 ? reasons.join("\n") : "  its API has no such request"}\nNothing was asked. ${advice}`,
    );
    this.report = { ...report, advice };
  }
}

/**
 * Warnings of the check of a server: of the way to numbers, and of the way to completions where that is another and
 * `writes` says that it is used.
 */
export function checkNotes(
  { check }: { readonly check?: CheckReport },
  { writes }: { readonly writes: boolean },
): string[] {
  const chosen = check?.ways.find(({ way }) => way === check.chosen);
  if (check === undefined || chosen === undefined) return [];
  const writing = check.ways.find(({ extraction, status }) => extraction === "completion" && status === "works");
  const forced = check.forced ? ["FORCED: the check refused this server; its numbers may mean nothing."] : [];
  const used = new Set([chosen, ...(writing === undefined || !writes ? [] : [writing])]);
  return [...forced, ...[...used].flatMap(({ way, notes }) => notes.map((note) => `Model check (${way}): ${note}.`))];
}
