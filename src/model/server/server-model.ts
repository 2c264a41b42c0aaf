import type { CheckReport } from "../check/check-report.js";
import type { Model, ModelIdentity } from "../model.js";
import type {
  CompletionWay,
  ConversationWay,
  EmbeddingWay,
  ExtractionWay,
  InfillWay,
  SequenceWay,
} from "../wire/ways.js";
import type { ServerChannel } from "./server-channel.js";
import { complete, infill } from "./server-completions.js";
import { converse } from "./server-conversation.js";
import { embed } from "./server-embeddings.js";
import { scoreGroup } from "./server-symbols.js";
import { scoreText } from "./server-tokens.js";

/** The way that is used for each thing; `null`: it was not asked for, or there is none. */
export interface UsedWays {
  readonly symbols: ExtractionWay | null;
  readonly tokenScores: SequenceWay | null;
  readonly completions: CompletionWay | null;
  readonly infill: InfillWay | null;
  readonly embeddings: EmbeddingWay | null;
  readonly conversations: ConversationWay | null;
  readonly tools: ConversationWay | null;
}

interface ServerModelParts {
  readonly identity: ModelIdentity;
  readonly check: CheckReport;
  readonly ways: UsedWays;
  readonly channel: ServerChannel;
  readonly maxConcurrency: number;
  readonly countTokens: ((prompt: string) => Promise<number>) | null;
  readonly close: () => void;
}

/** Groups of requests that share a prefix are about this large; so many open ones keep all places busy. */
const GROUP_SHARE = 8;

/** A model behind one or several servers. It has the methods that it was opened for and that its check found to work. */
export class ServerModel implements Model {
  readonly identity: ModelIdentity;
  readonly check: CheckReport;
  readonly maxOpenGroups: number;
  readonly scoreSymbols?: NonNullable<Model["scoreSymbols"]>;
  readonly scoreTokens?: NonNullable<Model["scoreTokens"]>;
  readonly complete?: NonNullable<Model["complete"]>;
  readonly infill?: NonNullable<Model["infill"]>;
  readonly embed?: NonNullable<Model["embed"]>;
  readonly converse?: NonNullable<Model["converse"]>;
  readonly countTokens?: (prompt: string) => Promise<number>;
  readonly #close: () => void;

  constructor({ identity, check, ways, channel, maxConcurrency, countTokens, close }: ServerModelParts) {
    this.identity = identity;
    this.check = check;
    this.#close = close;
    const { symbols, tokenScores, completions, infill: gaps, embeddings } = ways;
    // Other requests come one by one.
    this.maxOpenGroups = symbols === null ? maxConcurrency : Math.ceil(maxConcurrency / GROUP_SHARE) + 1;
    if (symbols !== null) this.scoreSymbols = (group, signal) => scoreGroup(channel, symbols, group, signal);
    if (tokenScores !== null) this.scoreTokens = (text, signal) => scoreText(channel, tokenScores, text, signal);
    if (completions !== null) this.complete = (request, signal) => complete(channel, completions, request, signal);
    if (gaps !== null) this.infill = (request, signal) => infill(channel, gaps, request, signal);
    if (embeddings !== null) this.embed = (text, signal) => embed(channel, embeddings, text, signal);
    const talk = ways.tools ?? ways.conversations;
    if (talk !== null) this.converse = (request, signal) => converse(channel, talk, request, signal);
    if (countTokens !== null) this.countTokens = countTokens;
  }

  close(): Promise<void> {
    this.#close();
    return Promise.resolve();
  }
}
