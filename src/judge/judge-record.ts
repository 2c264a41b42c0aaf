import { z } from "zod";
import type { NamedJudge, OpenJudge } from "./open-judge.js";

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Who judges, as `run.json` names it. */
export const judgeSchema = z.object({
  label: z.string(),
  identity: z.record(z.string(), scalar),
  /** Per million tokens; `null`: not known. */
  price: z.object({ currency: z.string(), input: z.number(), output: z.number() }).nullable(),
});

export type JudgeRecord = z.infer<typeof judgeSchema>;

/** What `run.json` says of a judge that was opened. */
export function judgeRecord({ label, price }: NamedJudge, { identity }: OpenJudge): JudgeRecord {
  const rate = price && { currency: price.currency, input: price.inputPerMillion, output: price.outputPerMillion };
  return { label, identity: { ...identity }, price: rate };
}

/** What makes a judge the same again, besides its name, which is a parameter: a run goes on with no other. */
export function judgeFacts({
  judge,
}: {
  readonly judge: JudgeRecord | null;
}): Readonly<Record<string, string | number | boolean | null>> {
  return Object.fromEntries(Object.entries(judge?.identity ?? {}).map(([name, value]) => [`judge ${name}`, value]));
}
