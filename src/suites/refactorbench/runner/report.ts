import { z } from "zod";

const errorSchema = z.object({ name: z.string(), message: z.string() });
const testSchema = z.object({
  name: z.string(),
  state: z.enum(["passed", "failed", "skipped", "pending"]),
  errors: z.array(errorSchema),
});
const fileSchema = z.object({ tests: z.array(testSchema), errors: z.array(errorSchema) });

/** What the runner writes. */
export const reportSchema = z.object({
  key: z.string(),
  test: fileSchema,
  /** `null`: none was run. */
  canary: fileSchema.nullable(),
  unhandled: z.array(errorSchema),
  mocked: z.array(z.string()),
  missingPackages: z.array(z.string()),
});

export type RunnerReport = z.infer<typeof reportSchema>;
export type TestError = z.infer<typeof errorSchema>;
