import { z } from "zod";
import type { CheckReport } from "../check/check-report.js";
import type { EndpointPool } from "../http/pool.js";
import { publicUrl } from "../http/public-url.js";
import type { OpenModelOptions } from "../model.js";
import { CAPABILITIES, type Capability } from "../requests.js";
import { mayLearn } from "../wire/body-changes.js";
import type { Changeable, OfferedWays, UsedWays } from "../wire/ways.js";

/** The servers of now. */
interface Asked {
  readonly options: Pick<OpenModelOptions, "passed">;
  readonly pool: EndpointPool;
  readonly ways: OfferedWays;
  readonly report: CheckReport["server"];
}

const text = z.string();
const wayName = z.strictObject({
  way: text,
  leftOut: z.array(text).exactOptional(),
  renamed: z.array(z.tuple([text, text])).exactOptional(),
  asModel: z.literal(true).exactOptional(),
});

/** Schema of a check that was recorded, as far as it is gone on with. */
const passedSchema = z.looseObject({
  endpoints: z.array(text),
  server: z.record(text, z.union([text, z.number(), z.null()])),
  ways: z.array(
    z.looseObject({
      way: text,
      extraction: text,
      status: z.enum(["works", "refused", "not_offered", "not_tried"]),
      notes: z.array(text),
      measures: z.looseObject({ right: z.number(), symbolMass: z.number(), repeatDifference: z.number() }).nullable(),
    }),
  ),
  chosen: text.nullable(),
  forced: z.boolean(),
  request: z.strictObject({ path: text, body: z.unknown() }).nullable(),
  passed: z.partialRecord(z.enum(CAPABILITIES), wayName),
});

const NOTHING = Object.fromEntries(CAPABILITIES.map((capability) => [capability, null])) as UsedWays;

/** The ways that are used, as a report keeps them for a run that goes on. */
export function passedWays(ways: UsedWays): NonNullable<CheckReport["passed"]> {
  return Object.fromEntries(
    CAPABILITIES.flatMap((capability) => {
      const way = ways[capability];
      return way === null ? [] : [[capability, { way: way.name, ...way.changes }] as const];
    }),
  );
}

/**
 * The check that the run passed when it began, in place of another: for the same servers, by ways that they still offer.
 * `null`: there is none, or it does not fit.
 */
export function passedCheck(
  { options, pool, ways: offered, report }: Asked,
  needs: readonly Capability[],
): { readonly ways: UsedWays; readonly check: CheckReport } | null {
  const { data } = passedSchema.safeParse(options.passed);
  const endpoints = pool.endpoints.map(({ baseUrl }) => publicUrl(baseUrl));
  if (data === undefined || JSON.stringify(data.endpoints) !== JSON.stringify(endpoints)) return null;
  const used = needs.map((need) => {
    const known = data.passed[need];
    const way = known && offered[need].find(({ name }) => name === known.way);
    return way === undefined ? null : ([need, withChanges(way, known)] as const);
  });
  if (used.some((each) => each === null || each[1] === null)) return null;
  const { chosen, forced, request, ways, passed } = data;
  return {
    ways: { ...NOTHING, ...Object.fromEntries(used.flatMap((each) => (each === null ? [] : [each]))) },
    check: { endpoints, server: report, ways, chosen, forced, request, passed },
  };
}

function withChanges<W extends Changeable>(way: W, known: z.infer<typeof wayName> | undefined): W | null {
  const { leftOut = [], renamed = [], asModel } = known ?? {};
  if (leftOut.length + renamed.length === 0 && !asModel) return way;
  const changes = { leftOut, renamed, ...(asModel && { asModel }) };
  return mayLearn(way, changes) ? { ...way, changes } : null;
}
