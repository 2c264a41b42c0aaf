import type { Console } from "../../../console/console.js";

/** Parameters of every kind of import. */
export interface ImportJob {
  readonly out: string;
  readonly isJson: boolean;
  /** The variable the user named for the token; `undefined`: the usual ones. */
  readonly tokenVariable: string | undefined;
  readonly signal: AbortSignal;
  readonly onMessage: (message: string) => void;
  readonly console: Console;
}
