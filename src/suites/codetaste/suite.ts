import { advisedSuite } from "../../judge/advised-suite.js";
import { codetasteAdapter } from "./adapter.js";
import { partsOf } from "./parts.js";

/** CodeTaste as every command runs a suite. */
export const suite = advisedSuite({ bench: codetasteAdapter, parts: partsOf });
