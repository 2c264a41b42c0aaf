import { statsCommand } from "./cli/stats-command.js";
/** What the suite does under `probe suite` besides running. */
export const refactorbenchCommands = [statsCommand];
