import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { packageRoot } from "../base/folders.js";
import { pricesSchema, readConfig } from "./config.js";
import type { ConnectionOptions } from "./model.js";
import type { ResolvedModel } from "./resolved-model.js";
import { findVendor } from "./vendor/vendors.js";

type Prices = z.infer<typeof pricesSchema>;

/** Price of a model. */
export interface Price {
  readonly currency: string;
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Date of the price list, such as `2025-06-01`. */
  readonly asOf: string;
}

/**
 * The price of a model: from `probe.config.json` by alias or `provider:name`, else from the shipped list, which knows
 * hosted models only, so never for a server of one's own. `null` when neither has it.
 * @throws ProbeError `bad_input` when the user's file is not as expected
 */
export async function findPrice(
  model: ResolvedModel,
  connection: ConnectionOptions,
  workingDirectory: string,
): Promise<Price | null> {
  const own = (await readConfig(workingDirectory)).prices;
  const names = [model.label, `${model.provider}:${model.name}`];
  const found = own && priceIn(own, names);
  if (found !== undefined) return found;
  if (isElsewhere(model, connection)) return null;
  const shipped = pricesSchema.parse(JSON.parse(await readFile(join(packageRoot, "models/prices.json"), "utf8")));
  return priceIn(shipped, names) ?? null;
}

/** A dated version (`gpt-4o-2024-08-06`) costs what its model does, unless it is listed itself. */
function priceIn(prices: Prices, names: readonly string[]): Price | undefined {
  const candidates = names.flatMap((name) => [name, name.replace(/-\d{4}-\d{2}-\d{2}$/, "")]);
  const entry = candidates
    .map((name) => (Object.hasOwn(prices.models, name) ? prices.models[name] : undefined))
    .find((price) => price !== undefined);
  if (entry === undefined) return undefined;
  return {
    currency: prices.currency,
    inputPerMillion: entry.input,
    outputPerMillion: entry.output,
    asOf: prices.as_of,
  };
}

/** The price of what is asked in batches; that of a server of one's own is whole, as nobody says what it charges. */
export function batchPrice(price: Price | null, model: ResolvedModel, connection: ConnectionOptions): Price | null {
  if (price === null) return null;
  const { inputPerMillion: input, outputPerMillion: output } = price;
  const share = batchShare(model, connection);
  return { ...price, inputPerMillion: input * share, outputPerMillion: output * share };
}

/** Part of the price that is paid in batches. */
export function batchShare(model: ResolvedModel, connection: ConnectionOptions): number {
  return isElsewhere(model, connection) ? 1 : (findVendor(model.provider)?.batch?.priceShare ?? 1);
}

/** `true` for a server that the user names, or an alias. */
function isElsewhere({ settings }: ResolvedModel, { baseUrls }: ConnectionOptions): boolean {
  return baseUrls.length > 0 || settings["baseUrl"] !== undefined;
}

/** A price in US dollars, in which trials tell costs and budgets; `null`: none is known, or it is in another currency. */
export function dollarPrice(price: Price | null): Price | null {
  return price?.currency === "USD" ? price : null;
}

/** The cost of so many tokens, in the price's currency; `null`: price or tokens are not known. */
export function knownCost(price: Price | null, inputTokens: number | null, outputTokens: number | null): number | null {
  return price === null || inputTokens === null || outputTokens === null
    ? null
    : costOf(price, inputTokens, outputTokens);
}

/** The cost of so many tokens, in the price's currency. */
export function costOf(price: Price, inputTokens: number, outputTokens: number): number {
  return (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1e6;
}

/** Tokens of a prompt at the most, messages or with what goes with them: none is shorter than a byte. */
export function mostPromptTokens(prompt: unknown): number {
  return Buffer.byteLength(JSON.stringify(prompt));
}
