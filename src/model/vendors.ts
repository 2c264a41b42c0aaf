import type { Capability } from "./requests.js";

/** Kinds of API that are spoken; each is a module of `dialect/`. */
export type DialectName = "openai" | "huggingface";

/** A vendor of models behind an API: all by which it differs from others that speak the same dialect. */
export interface Vendor {
  /** Prefix of its models' names, such as `openai` in `openai:gpt-4o`: small letters. */
  readonly name: string;
  /** Name of its own service, in messages. */
  readonly service: string;
  /** Base URL of its own service. */
  readonly baseUrl: string;
  /** Environment variable that its users keep their key in; unless told otherwise, the key is sent to that origin alone. */
  readonly keyVariable: string;
  readonly dialect: DialectName;
  /** Present where its own service takes chat prompts only: the way to have raw text continued. */
  readonly rawTextNeeds?: string;
  /** Capabilities for which its API has no request. */
  readonly lacks?: readonly Capability[];
  /** Further headers that its client package takes from the environment, which name an account there. */
  readonly accountHeaders?: readonly string[];
}

/**
 * The vendors there are. One that speaks a known dialect is an entry here, and nothing else. Any server that speaks the
 * dialect is asked under the vendor's name with `--base-url`.
 */
export const VENDORS: readonly Vendor[] = [
  {
    name: "huggingface",
    service: "Hugging Face's Inference Providers",
    baseUrl: "https://router.huggingface.co/v1",
    keyVariable: "HF_TOKEN",
    dialect: "huggingface",
    rawTextNeeds: "an endpoint with TGI (--base-url)",
    // Neither TGI nor the Inference Providers take what comes after a gap.
    lacks: ["infill"],
  },
  {
    name: "openai",
    service: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    dialect: "openai",
    accountHeaders: ["openai-organization", "openai-project"],
  },
];

/** The vendor of this name; `undefined` for a provider in this process. */
export function findVendor(name: string): Vendor | undefined {
  return VENDORS.find((vendor) => vendor.name === name);
}
