import { modelUnavailable } from "../base/errors.js";
import { type ConnectionOptions, type Model, type ModelIdentity, NO_CONNECTION } from "../model/model.js";
import { openModel } from "../model/open-model.js";
import type { Capability, FailedReply } from "../model/requests.js";
import type { ResolvedModel } from "../model/resolved-model.js";
import { openWriter, type Watch, type Writer, type WriterRequest } from "./writer.js";

/** Methods of a surrogate model: score, infill, embed (paper §3.4). */
export type Surrogate = Required<Pick<Model, "scoreTokens" | "infill" | "embed">>;

/** The sampling of the paper's infills (§3.4, footnote 2). */
export const INFILL_TEMPERATURE = 3.5;
/**
 * Tokens that are drawn from. At temperature 3.5 the tail of a vocabulary of 30,000 outweighs everything that could stand in
 * the gap; the paper does not tell its limit; 50 is the default of the library it used.
 */
export const INFILL_TOP_K = 50;

/** Models by their roles: few servers can score, infill and embed alike. */
export interface SurrogateRoles {
  /** Infills, and does what the others are not given for. */
  readonly infiller: ResolvedModel;
  readonly scorer: ResolvedModel;
  readonly embedder: ResolvedModel;
  /** Connection of the infiller; the others have their own settings. */
  readonly connection: ConnectionOptions;
}

interface OpenSurrogate {
  readonly surrogate: Surrogate;
  /** Identity of each model, by its role. */
  readonly identity: ModelIdentity;
  close(): Promise<void>;
}

const ROLES = [
  ["infiller", "infill"],
  ["scorer", "token_scores"],
  ["embedder", "embeddings"],
] as const satisfies readonly (readonly [keyof SurrogateRoles, Capability])[];

/** Models that a build asks. */
export interface ModelRequests {
  /** `null`: none is named; SI questions of `matched` are built of near misses, of `paper` not at all. */
  readonly surrogate: SurrogateRoles | null;
  /** `null`: none is named; only of `matched`, and beside no surrogate. */
  readonly writer: WriterRequest | null;
  readonly seed: number;
}

/** Models of a build, open. */
interface OpenModels {
  readonly surrogate: Surrogate | null;
  readonly writer: Writer | null;
  readonly identity: ModelIdentity;
  close(): Promise<void>;
}

/**
 * Opens what a build asks: a surrogate, a writer, or nothing.
 * @throws ProbeError `model_unavailable`
 */
export async function openModels({ surrogate, writer, seed }: ModelRequests, watch: Watch): Promise<OpenModels> {
  if (surrogate !== null) return { ...(await openSurrogate(surrogate, seed, watch)), writer: null };
  const none = { surrogate: null, writer: null, identity: { surrogate: null }, close: () => Promise.resolve() };
  if (writer === null) return none;
  const opened = await openWriter(writer, seed, watch);
  return { ...none, ...opened, identity: { ...none.identity, ...opened.identity } };
}

/**
 * Opens the models of the roles, each once.
 * @throws ProbeError `model_unavailable` when one cannot do what its role asks
 */
async function openSurrogate(roles: SurrogateRoles, seed: number, watch: Watch): Promise<OpenSurrogate> {
  const open = new Map<string, Model>();
  const close = async () => {
    for (const model of open.values()) await model.close();
  };
  try {
    for (const label of new Set(ROLES.map(([role]) => roles[role].label))) {
      const own = ROLES.filter(([role]) => roles[role].label === label);
      const [first = ROLES[0]] = own;
      const model = await openModel(roles[first[0]], {
        promptMode: "completion",
        mode: "fast",
        seed,
        connection: label === roles.infiller.label ? roles.connection : NO_CONNECTION,
        needs: own.map(([, capability]) => capability),
        ...watch,
      });
      open.set(label, model);
    }
    return { surrogate: combine(roles, open), identity: identityOf(roles, open), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function combine(roles: SurrogateRoles, open: ReadonlyMap<string, Model>): Surrogate {
  const [infiller, scorer, embedder] = ROLES.map(([role]) => open.get(roles[role].label));
  const infill = infiller?.infill?.bind(infiller);
  const scoreTokens = scorer?.scoreTokens?.bind(scorer);
  const embed = embedder?.embed?.bind(embedder);
  if (infill === undefined || scoreTokens === undefined || embed === undefined) {
    throw new Error("Expected models that were opened for their roles to have the methods.");
  }
  return { infill, scoreTokens, embed };
}

function identityOf(roles: SurrogateRoles, open: ReadonlyMap<string, Model>): ModelIdentity {
  const entries = ROLES.flatMap(([role]) => {
    const { label } = roles[role];
    if (role !== "infiller" && label === roles.infiller.label) return [];
    const prefix = role === "infiller" ? "surrogate" : role;
    const own = Object.entries(open.get(label)?.identity ?? {}).map(([key, value]) => [`${prefix}_${key}`, value]);
    return [[prefix, label], ...own];
  });
  return Object.fromEntries(entries) as ModelIdentity;
}

const BUNDLED_FILE = "tiny.gguf";

/**
 * Warning to a reader of the questions about the model that made them, from what a build recorded; `null`: none.
 * The bundled model is there to try things out: what it takes for likely, few others do.
 */
export function surrogateWarning(identity: Readonly<Record<string, unknown>>): string | null {
  if (identity["surrogate"] === null && identity["solutions"] === "near_misses") return null;
  if (identity["surrogate"] === null) return "No SI questions: no surrogate was named. Name a model with --surrogate.";
  if (identity["surrogate_file"] !== BUNDLED_FILE) return null;
  return "The surrogate was tiny, the bundled model: its SI questions are to try things out, not to measure models with.";
}

/** A question cannot be built; the message is the reason that its record gives. */
export class NotBuilt extends Error {
  override readonly name = "NotBuilt";
}

/**
 * The reply of a model that did not fail.
 * @throws NotBuilt for a failure that leaves one question out; ProbeError `model_unavailable` for a fault that ends the build
 */
export function answered<Reply extends { readonly status: string }>(
  reply: Reply | FailedReply,
  model: "surrogate" | "writer" = "surrogate",
): Reply {
  if (!isFailed(reply)) return reply;
  const { failure, detail } = reply;
  if (failure === "context_overflow") throw new NotBuilt(`too long for the ${model}`);
  // What a writer refuses once it refuses again: code and review tell near misses without it.
  if (model === "writer" && failure !== "unavailable") throw new NotBuilt(`${failure} by the writer`);
  throw modelUnavailable(
    `Expected the ${model} to answer, found ${failure}: ${detail}. What is built is kept: the same command goes on.`,
  );
}

function isFailed(reply: { readonly status: string }): reply is FailedReply {
  return reply.status === "failed";
}
