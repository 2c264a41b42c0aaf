import { modelUnavailable, ProbeError } from "../../base/errors.js";
import { COMPLETION, EMBEDDING, INFILL, NO_NUMBERS, SEQUENCE, SYMBOLS } from "../check/ability-checks.js";
import type { CanaryReply } from "../check/canaries.js";
import { type CheckedWay, CheckRefusal, type CheckReport } from "../check/check-report.js";
import { CONVERSATION, TOOLS } from "../check/conversation-check.js";
import { type Ability, type Ask, rowOf, type TriedWay, tryWays } from "../check/try-ways.js";
import type { Endpoint } from "../http/endpoint.js";
import type { EndpointPool } from "../http/pool.js";
import { publicUrl } from "../http/public-url.js";
import { RequestError } from "../http/request-error.js";
import type { OpenModelOptions } from "../model.js";
import type { ServerSettings } from "../model-settings.js";
import { CAPABILITIES, type Capability, type Embedding, type TokenScores } from "../requests.js";
import { asModelDoes, changed, thoughtsOf } from "../wire/body-changes.js";
import type { Changeable, ExtractionWay, OfferedWays, UsedWays, Ways } from "../wire/ways.js";
import { askOnce, type Connection } from "./server-channel.js";

/** Servers to be checked, and the means to ask them. */
interface CheckParts {
  readonly options: OpenModelOptions;
  readonly settings: ServerSettings;
  readonly ways: OfferedWays;
  /** Facts that the server tells of itself. */
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

/** The row of a way to written letters, which nobody asked for. */
function untried(way: ExtractionWay): CheckedWay {
  return rowOf(SYMBOLS, way, "not_tried", ["only with --allow-generated"]);
}

/** Before a run, a server that refuses connections is not waited for as long as in a run. */
const CHECK_PATIENCE_MS = 5_000;

/**
 * Checks that the servers give what the model is opened for (spec §4.2), and finds the best way to each thing.
 * @throws CheckRefusal when there is none to one of them; RequestError when a server cannot be reached; the signal's reason
 * when it is aborted
 */
export async function checkServer(parts: CheckParts): Promise<CheckedServer> {
  const { settings, pool, options } = parts;
  const passed = options.passed === undefined ? null : await passedBefore(parts);
  if (passed !== null) return passed;
  const patienceMs = settings.patienceSeconds * 1000;
  for (const endpoint of pool.endpoints) endpoint.setPatience(Math.min(CHECK_PATIENCE_MS, patienceMs));
  const checked = await new ServerCheck(parts).run();
  for (const endpoint of pool.endpoints) endpoint.setPatience(patienceMs);
  return checked;
}

async function passedBefore(parts: CheckParts): Promise<CheckedServer | null> {
  const { passedCheck } = await import("./passed-check.js");
  return passedCheck(parts, neededOf(parts));
}

/** Evidence by which two servers of one model are compared. */
interface Evidence {
  readonly symbols: readonly CanaryReply[];
  readonly token_scores: readonly TokenScores[];
  readonly completions: null;
  readonly infill: null;
  readonly embeddings: readonly Embedding[];
  readonly conversations: null;
  readonly tools: null;
}

const ABILITIES: { readonly [C in Capability]: Ability<Ways[C], Evidence[C]> } = {
  symbols: SYMBOLS,
  token_scores: SEQUENCE,
  completions: COMPLETION,
  infill: INFILL,
  embeddings: EMBEDDING,
  conversations: CONVERSATION,
  tools: TOOLS,
};

/** Capabilities in the order in which one is shown as the way that is used. */
const SHOWN = ["symbols", "token_scores", "completions", "infill", "embeddings", "tools", "conversations"] as const;

class ServerCheck {
  readonly #parts: CheckParts;
  readonly #needs: readonly Capability[];
  readonly #rows = new Map<Capability, readonly CheckedWay[]>();
  #isForced = false;
  #isOffRefused = false;

  constructor(parts: CheckParts) {
    this.#parts = parts;
    this.#needs = neededOf(parts);
  }

  async run(): Promise<CheckedServer> {
    const { options, pool, report } = this.#parts;
    const ways: UsedWays = {
      symbols: this.#needs.includes("symbols") ? await this.#symbolWay() : null,
      token_scores: await this.#way("token_scores"),
      completions: await this.#way("completions"),
      infill: await this.#way("infill"),
      embeddings: await this.#way("embeddings"),
      conversations: await this.#way("conversations"),
      tools: await this.#way("tools"),
    };
    const shown = SHOWN.map((capability) => exampleOf(capability, ways)).find((example) => example !== null);
    const thoughts = thoughtsOf(Object.values(ways).filter((way) => way !== null));
    const check: CheckReport = {
      endpoints: pool.endpoints.map(({ baseUrl }) => publicUrl(baseUrl)),
      server: report,
      ways: [...this.#rows.values()].flat(),
      ...(shown ?? { chosen: null, request: null }),
      forced: this.#isForced,
      ...(thoughts && { thoughts }),
    };
    const lacking = this.#needs.find((capability) => ways[capability] === null);
    if (lacking === undefined && options.batch === true) {
      const { passedWays } = await import("./passed-check.js");
      return { ways, check: { ...check, passed: passedWays(ways) } };
    }
    if (lacking === undefined) return { ways, check };
    throw new CheckRefusal(options, { ...check, chosen: null }, lacking, this.#rows.get(lacking) ?? []);
  }

  /** The way to what is needed or to be tried: what fails of the latter is a row of the table, and no more. */
  async #way<C extends Capability>(capability: C): Promise<Ways[C] | null> {
    const { options, ways } = this.#parts;
    const offered: readonly Ways[C][] = ways[capability];
    if (this.#needs.includes(capability)) return (await this.#find(capability, offered)).way;
    if (!isTried(capability, options)) return null;
    try {
      return (await this.#find(capability, offered)).way;
    } catch (error) {
      if (!(error instanceof RequestError || error instanceof ProbeError)) throw error;
      const [first] = offered;
      if (first !== undefined)
        this.#rows.set(capability, [rowOf(ABILITIES[capability], first, "not_offered", [error.message])]);
      return null;
    }
  }

  /** The best way to answers that works; or the written letter, if it was asked for; or a refused way, if it was forced. */
  async #symbolWay(): Promise<ExtractionWay | null> {
    const { options, settings, ways } = this.#parts;
    const written = ways.symbols.filter(({ extraction }) => extraction === "generated");
    const listed = ways.symbols.filter(
      (way) => !written.includes(way) && (settings.extraction ?? way.extraction) === way.extraction,
    );
    const { way, tried } = await this.#find("symbols", listed);
    if (way !== null) return way;
    const { allowGenerated, force } = options.connection;
    if (allowGenerated || settings.extraction === "generated") {
      const letters = await this.#find("symbols", written);
      this.#rows.set(
        "symbols",
        [...tried, ...letters.tried].map(({ row }) => row),
      );
      if (letters.way !== null) return letters.way;
      const weak = letters.tried.find(
        ({ way: each, finding }) => each.form === "letter" && finding?.evidence !== undefined,
      );
      if (weak !== undefined) return this.#weakLetter(weak, [...tried, ...letters.tried]);
    } else this.#rows.set("symbols", [...tried.map(({ row }) => row), ...written.map(untried)]);
    const withStatus = (status: CheckedWay["status"]) => tried.find(({ row }) => row.status === status);
    const refused = force ? (withStatus("refused") ?? withStatus("not_offered")) : undefined;
    this.#isForced = refused !== undefined;
    return refused?.way ?? null;
  }

  /** A way to letters whose model writes other things too: weak is not refused. */
  #weakLetter(
    { way, row }: TriedWay<ExtractionWay, readonly CanaryReply[]>,
    tried: readonly TriedWay<ExtractionWay, readonly CanaryReply[]>[],
  ): ExtractionWay {
    const works: CheckedWay = { ...row, status: "works", notes: [NO_NUMBERS, ...row.notes] };
    this.#rows.set(
      "symbols",
      tried.map((each) => (each.way === way ? works : each.row)),
    );
    return way;
  }

  /** Ways as they are tried, after what was learnt of thoughts. */
  #asked<W extends Changeable>(ways: readonly W[]): readonly W[] {
    return this.#isOffRefused ? ways.map(asModelDoes) : ways;
  }

  /** The best way that works, at every server alike. */
  async #find<C extends Capability>(
    capability: C,
    ways: readonly Ways[C][],
  ): Promise<{ readonly way: Ways[C] | null; readonly tried: readonly TriedWay<Ways[C], Evidence[C]>[] }> {
    const { pool, connection, signal } = this.#parts;
    const ability: Ability<Ways[C], Evidence[C]> = ABILITIES[capability];
    const [first, ...others] = pool.endpoints;
    if (first === undefined) throw new Error("Expected at least one server.");
    const askAt =
      (endpoint: Endpoint): Ask =>
      (question) =>
        askOnce(question, connection, endpoint, signal);
    const tried = await tryWays(ability, this.#asked(ways), askAt(first));
    this.#isOffRefused ||= tried.some(({ way }) => way.changes?.asModel);
    const rows = tried.map(({ row }) => row);
    for (const { way, finding } of tried) {
      if (finding?.status !== "works") continue;
      for (const endpoint of others) {
        const [theirs] = await tryWays(ability, [way], askAt(endpoint));
        if (isOffRefused(theirs?.way, way)) {
          this.#isOffRefused = true;
          return this.#find(capability, ways);
        }
        const fault = differenceOf(theirs, (evidence) => ability.agree(finding.evidence, evidence));
        if (fault !== undefined) throw otherModel(endpoint, first, fault);
      }
      this.#rows.set(capability, rows);
      return { way: finding.used ?? way, tried };
    }
    this.#rows.set(capability, rows);
    return { way: null, tried };
  }
}

/** Capabilities that are needed, in a fixed order; `sequence=required` adds the scores of whole texts to whatever is asked. */
function neededOf({ options: { needs }, settings: { sequence } }: CheckParts): Capability[] {
  const isSequenceAdded = needs.length > 0 && sequence === "required";
  return CAPABILITIES.filter((each) => needs.includes(each) || (each === "token_scores" && isSequenceAdded));
}

/** `true` for what is not needed but shown: for answers in completion mode the table tells of whole texts too. */
function isTried(capability: Capability, { needs, tries = [], promptMode }: OpenModelOptions): boolean {
  const isShown = capability === "token_scores" && needs.includes("symbols") && promptMode === "completion";
  return isShown || tries.includes(capability);
}

/** `true` where a server does not take that thoughts be off, which the first took: all are asked alike. */
function isOffRefused(theirs: Changeable | undefined, first: Changeable): boolean {
  return theirs?.changes?.asModel === true && first.changes?.asModel !== true;
}

function exampleOf<C extends Capability>(
  capability: C,
  ways: UsedWays,
): Pick<CheckReport, "chosen" | "request"> | null {
  const way: Ways[C] | null = ways[capability];
  const ability: Ability<Ways[C], Evidence[C]> = ABILITIES[capability];
  return way === null ? null : { chosen: way.name, request: changed(way, ability.example(way)) };
}

/** Why a way does not work at another server (`null`: it does, with another result); `undefined`: it does so alike. */
function differenceOf<E>(
  theirs: TriedWay<Changeable & { readonly name: string }, E> | undefined,
  agrees: (evidence: E) => boolean,
): readonly string[] | null | undefined {
  if (theirs?.finding?.status !== "works") return theirs?.row.notes ?? [];
  return agrees(theirs.finding.evidence) ? undefined : null;
}

/** @param notes why it does not work there; `null`: it does, with another result */
function otherModel(endpoint: Endpoint, first: Endpoint, notes: readonly string[] | null): ProbeError {
  const found = notes === null ? "other numbers for the same prompts" : notes.join("; ");
  return modelUnavailable(
    `Expected ${publicUrl(endpoint.baseUrl)} to serve the same model as ${publicUrl(first.baseUrl)}, found ${found}. Leave it out.`,
  );
}
