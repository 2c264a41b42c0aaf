import { judgedSuite } from "../../judge/judged-suite.js";
import { smellbenchAdapter } from "./adapter.js";
import { smellJudging } from "./judging/judging.js";
import { loadPrompts } from "./prompt/prompts.js";

/** SmellBench as every command runs a suite. */
export const suite = judgedSuite({ bench: smellbenchAdapter, judging: smellJudging(await loadPrompts()) });
