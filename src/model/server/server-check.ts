import { ProbeError } from "../../base/errors.js";
import { CANARY_SYMBOLS } from "../check/canaries.js";
import { type CheckedWay, CheckRefusal, type CheckReport, type Lack } from "../check/check-report.js";
import { CONVERSATION, TOOLS } from "../check/conversation.js";
import { COMPLETION, EMBEDDING, INFILL, SEQUENCE, type SequenceEvidence, withoutGreedy } from "../check/text-checks.js";
import { type Ability, type Ask, tryWays } from "../check/trial.js";
import type { ConversationRequest } from "../conversation.js";
import type { Endpoint } from "../http/endpoint.js";
import type { EndpointPool } from "../http/pool.js";
import { publicUrl } from "../http/public-url.js";
import { RequestError } from "../http/request-error.js";
import type { OpenModelOptions } from "../model.js";
import { CAPABILITIES, type Capability } from "../requests.js";
import type { ConversationWay, OfferedWays, SequenceWay, WireRequest } from "../wire/ways.js";
import { askOnce, type Connection } from "./server-channel.js";
import type { UsedWays } from "./server-model.js";
import type { ServerSettings } from "./server-settings.js";
import { findSymbolWay, NO_SYMBOL_WAY, otherModel } from "./server-symbol-check.js";

/** What is checked, and how it is reached. */
export interface CheckParts {
  readonly options: OpenModelOptions;
  readonly settings: ServerSettings;
  readonly ways: OfferedWays;
  /** What the server says of itself. */
  readonly report: CheckReport["server"];
  readonly pool: EndpointPool;
  /** A connection of its own for every request. */
  readonly connection: Connection;
  /** Aborting it ends the check at once. */
  readonly signal: AbortSignal;
}

interface CheckedServer {
  readonly ways: UsedWays;
  readonly check: CheckReport;
}

/** Before a run, a server that refuses connections is not waited for as long as in a run. */
const CHECK_PATIENCE_MS = 5_000;

/**
 * Checks that the servers give what the model is opened for (spec §4.2), and finds the best way to each thing.
 * @throws CheckRefusal when there is none to one of them; RequestError when a server cannot be reached; the signal's reason
 * when it is aborted
 */
export async function checkServer(parts: CheckParts): Promise<CheckedServer> {
  const { settings, pool } = parts;
  const patienceMs = settings.patienceSeconds * 1000;
  for (const endpoint of pool.endpoints) endpoint.setPatience(Math.min(CHECK_PATIENCE_MS, patienceMs));
  const checked = await checkNeeds(parts);
  for (const endpoint of pool.endpoints) endpoint.setPatience(patienceMs);
  return checked;
}

async function checkNeeds(parts: CheckParts): Promise<CheckedServer> {
  const { options, ways, report, pool } = parts;
  const needs = neededOf(parts);
  const has = (capability: Capability) => needs.includes(capability);
  const symbols = has("symbols") ? await findSymbolWay(parts) : NO_SYMBOL_WAY;
  const sequence = await findSequenceWay(parts, has("token_scores"));
  const completion = has("completions") ? await findWay(COMPLETION, ways.completions, parts) : NOTHING;
  const infill = has("infill") ? await findWay(INFILL, ways.infill, parts) : NOTHING;
  const conversation = await findIf(CONVERSATION, "conversations", parts);
  const tools = await findIf(TOOLS, "tools", parts);
  const embedding = has("embeddings") ? await findWay(EMBEDDING, ways.embeddings, parts) : NOTHING;
  const used: UsedWays = {
    symbols: symbols.way,
    tokenScores: sequence.evidence?.tellsGreedy === false && sequence.way ? withoutGreedy(sequence.way) : sequence.way,
    completions: completion.way,
    infill: infill.way,
    embeddings: embedding.way,
    conversations: conversation.way,
    tools: tools.way,
  };
  const check: CheckReport = {
    endpoints: pool.endpoints.map(({ baseUrl }) => publicUrl(baseUrl)),
    server: report,
    ways: [symbols, sequence, completion, infill, embedding, conversation, tools].flatMap(({ rows }) => rows),
    ...chosenOf(used),
    forced: symbols.isForced,
  };
  const lacking = needs.find((capability) => used[USED[capability]] === null);
  if (lacking !== undefined) throw new CheckRefusal(options.label, { ...check, chosen: null }, LACKS[lacking]);
  return { ways: used, check };
}

const USED = {
  symbols: "symbols",
  token_scores: "tokenScores",
  completions: "completions",
  infill: "infill",
  embeddings: "embeddings",
  conversations: "conversations",
  tools: "tools",
} as const satisfies Record<Capability, keyof UsedWays>;

const LACKS = {
  symbols: "answers",
  token_scores: "sequence",
  completions: "completion",
  infill: "infill",
  embeddings: "embedding",
  conversations: "conversation",
  tools: "tools",
} as const satisfies Record<Capability, Lack>;

/** What is needed, in a fixed order; `sequence=required` adds the scores of whole texts to whatever is asked. */
function neededOf({ options: { needs }, settings: { sequence } }: CheckParts): Capability[] {
  const isSequenceAdded = needs.length > 0 && sequence === "required";
  return CAPABILITIES.filter((each) => needs.includes(each) || (each === "token_scores" && isSequenceAdded));
}

interface Found<W, E> {
  readonly way: W | null;
  readonly evidence: E | null;
  readonly rows: readonly CheckedWay[];
}

const NOTHING = { way: null, evidence: null, rows: [] } as const;

/** The way to have texts scored. For answers in completion mode the table tells of it too, needed or not. */
async function findSequenceWay(parts: CheckParts, isNeeded: boolean): Promise<Found<SequenceWay, SequenceEvidence>> {
  const { options, ways } = parts;
  if (isNeeded) return findWay(SEQUENCE, ways.tokenScores, parts);
  if (!options.needs.includes("symbols") || options.promptMode === "chat") return NOTHING;
  try {
    return await findWay(SEQUENCE, ways.tokenScores, parts);
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof ProbeError)) throw error;
    const { name = "" } = ways.tokenScores[0] ?? {};
    const row = { way: name, extraction: SEQUENCE.extraction, notes: [error.message], measures: null } as const;
    return { ...NOTHING, rows: [{ ...row, status: "not_offered" }] };
  }
}

/** The way to talk, where that is needed or to be tried: then what fails is a row of the table, and no more. */
async function findIf(
  ability: typeof CONVERSATION,
  capability: "conversations" | "tools",
  parts: CheckParts,
): Promise<Found<ConversationWay, null>> {
  const { needs, tries = [] } = parts.options;
  if (needs.includes(capability)) return findWay(ability, parts.ways.conversations, parts);
  if (!tries.includes(capability)) return NOTHING;
  try {
    const { rows } = await findWay(ability, parts.ways.conversations, parts);
    return { ...NOTHING, rows };
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof ProbeError)) throw error;
    const { name = "" } = parts.ways.conversations[0] ?? {};
    const row = { way: name, extraction: ability.extraction, notes: [error.message], measures: null } as const;
    return { ...NOTHING, rows: [{ ...row, status: "not_offered" }] };
  }
}

/** The best way that works, at every server alike. */
async function findWay<W extends { readonly name: string }, E>(
  ability: Ability<W, E>,
  ways: readonly W[],
  { pool, connection, signal }: CheckParts,
): Promise<Found<W, E>> {
  const [first, ...others] = pool.endpoints;
  if (first === undefined) throw new Error("Expected at least one server.");
  const askAt =
    (endpoint: Endpoint): Ask =>
    (question) =>
      askOnce(question, connection, endpoint, signal);
  const trials = await tryWays(ability, ways, askAt(first));
  const rows = trials.map(({ row }) => row);
  for (const { way, finding } of trials) {
    if (finding?.status !== "works") continue;
    for (const endpoint of others) {
      const [theirs] = await tryWays(ability, [way], askAt(endpoint));
      if (theirs?.finding?.status !== "works") throw otherModel(endpoint, first, theirs?.row.notes ?? []);
      if (!ability.agree(finding.evidence, theirs.finding.evidence)) throw otherModel(endpoint, first, null);
    }
    return { way, evidence: finding.evidence, rows };
  }
  return { ...NOTHING, rows };
}

/** The way that is used for what was asked for first, and a request in it. */
function chosenOf({
  symbols,
  tokenScores,
  completions,
  infill,
  embeddings,
  tools,
  conversations,
}: UsedWays): Pick<CheckReport, "chosen" | "request"> {
  const prompt = "{prompt}";
  const how = { maxTokens: 512, stop: [], temperature: 0, topK: null, seed: 0 };
  const of = (way: { readonly name: string }, request: WireRequest) => ({ chosen: way.name, request });
  if (symbols !== null) return of(symbols, symbols.request(prompt, CANARY_SYMBOLS));
  if (tokenScores !== null) return of(tokenScores, tokenScores.request("{text}"));
  if (completions !== null) return of(completions, completions.request(prompt, { ...how, prompt }));
  if (infill !== null) return of(infill, infill.request({ ...how, prompt, suffix: "{suffix}" }));
  if (embeddings !== null) return of(embeddings, embeddings.request("{text}"));
  const talk = tools ?? conversations;
  if (talk !== null) return of(talk, talk.request(EXAMPLE));
  return { chosen: null, request: null };
}

const EXAMPLE: ConversationRequest = {
  messages: [{ role: "user", content: "{message}" }],
  tools: [],
  toolChoice: "required",
  maxTokens: 512,
  temperature: 0,
  seed: 0,
  responseFormat: null,
};
