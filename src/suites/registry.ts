import type { SuiteEntry } from "../run/suite-entry.js";
import { codereviewqa } from "./codereviewqa/questions-entry.js";
import { codetaste } from "./codetaste/taste-entry.js";
import { harbor } from "./harbor/harbor-entry.js";
import { refactorbench } from "./refactorbench/refactor-entry.js";
import { smellbench } from "./smellbench/smell-entry.js";
import { sweAtlas } from "./swe-atlas/atlas-entry.js";

/** Every suite: one line each. */
export const SUITES: readonly SuiteEntry[] = [codereviewqa, refactorbench, sweAtlas, codetaste, smellbench, harbor];
