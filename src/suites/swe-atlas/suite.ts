import { judgedSuite } from "../../judge/judged-suite.js";
import { sweAtlasAdapter } from "./adapter.js";
import { atlasJudging } from "./rubric/judging.js";

/** SWE Atlas as every command runs a suite. */
export const suite = judgedSuite({ bench: sweAtlasAdapter, judging: atlasJudging });
