import type { Console } from "../../console/console.js";
import { EXIT, type ExitCode } from "../../console/exit-codes.js";
import { type GateFinding, gateText } from "../../verdict/gate.js";

/** Says what does not pass; the exit code of a run that is not whole stays what it is. */
export function concludeGate(code: ExitCode, findings: readonly GateFinding[], console: Console): ExitCode {
  const text = gateText(findings);
  if (text === "") return code;
  console.err(text);
  return code === EXIT.done ? EXIT.belowThreshold : code;
}
