import type { SuiteEntry } from "../run/suite-entry.js";
import { codereviewqa } from "./codereviewqa/entry.js";
import { codetaste } from "./codetaste/entry.js";
import { refactorbench } from "./refactorbench/entry.js";
import { smellbench } from "./smellbench/entry.js";
import { sweAtlas } from "./swe-atlas/entry.js";

/** Every suite: one line each. */
export const SUITES: readonly SuiteEntry[] = [codereviewqa, refactorbench, sweAtlas, codetaste, smellbench];
