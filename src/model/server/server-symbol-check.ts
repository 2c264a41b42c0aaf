import { ProbeError } from "../../base/errors.js";
import type { CheckedWay } from "../check/check-report.js";
import { type AskCanary, checkWay, checkWays, type WayCheck } from "../check/run-check.js";
import { sameNumbers } from "../check/same-numbers.js";
import type { Endpoint } from "../http/endpoint.js";
import { publicUrl } from "../http/public-url.js";
import { readPosition } from "../wire/reported-tokens.js";
import type { ExtractionWay } from "../wire/ways.js";
import { askOnce, type Connection } from "./server-channel.js";
import type { CheckParts } from "./server-check.js";

interface FoundSymbolWay {
  /** `null`: none works. */
  readonly way: ExtractionWay | null;
  /** Whether `--force` overrode a refusal. */
  readonly isForced: boolean;
  readonly rows: readonly CheckedWay[];
}

export const NO_SYMBOL_WAY: FoundSymbolWay = { way: null, isForced: false, rows: [] };

/** The best way to take answers that works, or what was asked for where none does. */
export async function findSymbolWay(parts: CheckParts): Promise<FoundSymbolWay> {
  const { settings, connection, pool, signal } = parts;
  const ways = parts.ways.symbols.filter(({ extraction }) => (settings.extraction ?? extraction) === extraction);
  const [first, ...others] = pool.endpoints;
  if (first === undefined) throw new Error("Expected at least one server.");
  const checks = await checkWays(ways, askAt(first, connection, signal));
  const rows = checks.map(({ result }) => result);
  const found = checks.find(({ result }) => result.status === "works");
  if (found === undefined) return fallbackWay(parts, checks, rows);
  for (const endpoint of others) await requireSameModel(found, endpoint, { first, connection, signal });
  return { way: found.way, isForced: false, rows };
}

/** What is left when no way works: the written letter, if it was asked for; or a refused way, if that was forced. */
function fallbackWay(
  { options, settings, ways: { generated } }: CheckParts,
  checks: readonly WayCheck[],
  rows: readonly CheckedWay[],
): FoundSymbolWay {
  if (options.connection.allowGenerated || settings.extraction === "generated") {
    const row: CheckedWay = {
      way: generated.name,
      extraction: generated.extraction,
      status: "works",
      notes: ["no log probabilities: no margin, no symbol mass"],
      measures: null,
    };
    return { way: generated, isForced: false, rows: [...rows, row] };
  }
  const refused =
    checks.find(({ result }) => result.status === "refused") ??
    checks.find(({ result }) => result.status === "not_offered");
  const isForced = options.connection.force && refused !== undefined;
  return { way: isForced ? refused.way : null, isForced, rows };
}

function askAt(endpoint: Endpoint, connection: Connection, signal: AbortSignal): AskCanary {
  return (way, prompt, symbols) =>
    askOnce(
      {
        prompt,
        kind: "prompt",
        request: (wirePrompt) => way.request(wirePrompt, symbols),
        read: ({ json }) => readPosition(json, way.tokenTexts),
      },
      connection,
      endpoint,
      signal,
    );
}

/** Servers that share the load must report the same numbers. */
async function requireSameModel(
  found: WayCheck,
  endpoint: Endpoint,
  { first, connection, signal }: Pick<CheckParts, "connection" | "signal"> & { readonly first: Endpoint },
): Promise<void> {
  const check = await checkWay(found.way, askAt(endpoint, connection, signal));
  const { status, notes } = check.result;
  if (status === "works" && sameNumbers(found.replies, check.replies)) return;
  throw otherModel(endpoint, first, status === "works" ? null : notes);
}

/** @param notes why it does not work there; `null`: it does, with another result */
export function otherModel(endpoint: Endpoint, first: Endpoint, notes: readonly string[] | null): ProbeError {
  const found = notes === null ? "other numbers for the same prompts" : notes.join("; ");
  return new ProbeError(
    "model_unavailable",
    `Expected ${publicUrl(endpoint.baseUrl)} to serve the same model as ${publicUrl(first.baseUrl)}, found ${found}. Leave it out.`,
  );
}
