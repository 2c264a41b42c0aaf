import { agentSuite } from "../../trial/agent-suite.js";
import { harborAdapter } from "./harbor-adapter.js";

/** Data sets in Harbor's layout, as every command runs a suite. */
export const suite = agentSuite(harborAdapter);
