import { agentSuite } from "../../trial/agent-suite.js";
import { refactorbenchAdapter } from "./refactor-adapter.js";

/** RefactorBench-JS as every command runs a suite. */
export const suite = agentSuite(refactorbenchAdapter);
