import type { BatchApi } from "../batch/batch-api.js";
import type { BatchAccess } from "../batch/result-lines.js";
import type { CheckReport } from "../check/check-report.js";
import type { OpenModelOptions } from "../model.js";
import type { ServerSettings } from "../model-settings.js";
import type { Think } from "../requests.js";
import type { Connection } from "../server/server-channel.js";
import type { ReadJson, WireAccess } from "../server/server-reader.js";
import type { Vendor } from "../vendor/vendors.js";
import type { OfferedWays } from "../wire/ways.js";

/** A server before its dialect has asked it anything. */
interface ServerContext {
  readonly vendor: Vendor;
  readonly options: OpenModelOptions;
  readonly settings: ServerSettings;
  /** `true` for the vendor's own service, not a server that the user or a file names. */
  readonly isOwnService: boolean;
  /** Reads a page of the first server. */
  readonly read: ReadJson;
}

/** The API of a server, as a dialect found it. */
export interface ServerApi {
  /** Name of the model, for requests and for the identity. */
  readonly model: string;
  /** Facts that the server tells of itself; part of the identity. */
  readonly report: CheckReport["server"];
  readonly ways: OfferedWays;
  readonly connect: (access: WireAccess) => Connection;
  /** Counts the tokens of a prompt; `null` where the server has no tokenizer to ask. */
  readonly countTokens: ((prompt: string, think?: Think) => Promise<number>) | null;
  /** Set where prompts are sent again behind thoughts, which are continued. */
  readonly sendsAgain?: true;
  /** Absent where the API has none. */
  readonly batches?: (access: BatchAccess) => Promise<BatchApi>;
}

/**
 * Finds out what a server is, and how each thing is asked of it. What it offers of this is for the check to find out.
 * @throws the signal's reason when the opening is aborted
 */
export type Dialect = (server: ServerContext) => Promise<ServerApi>;
