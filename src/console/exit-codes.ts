import type { ProbeErrorCode } from "../base/errors.js";

/** What the process ends with (spec §5). */
export const EXIT = {
  done: 0,
  unexpected: 1,
  badInput: 2,
  modelUnavailable: 3,
  failedAnswers: 4,
  /** `--fail-under`, `--require`: a score, a verdict or a difference is not what was asked for. */
  belowThreshold: 5,
  interrupted: 130,
} as const;

/** What the process ends with. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const BY_ERROR: Readonly<Record<ProbeErrorCode, ExitCode>> = {
  bad_input: EXIT.badInput,
  model_unavailable: EXIT.modelUnavailable,
};

export function exitCodeOf(code: ProbeErrorCode): ExitCode {
  return BY_ERROR[code];
}
