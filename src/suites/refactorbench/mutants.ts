import { join } from "node:path";
import { z } from "zod";
import { checkedPath } from "../../agent/tool.js";
import { badInput, messageOf, whereMissing } from "../../base/errors.js";
import { readText } from "../../store/text-lines.js";
import type { Bench, Proof } from "../../trial/bench-task.js";
import { readSealed, writeSealed } from "../../workspace/sealed-files.js";
import { readPatch, type TreeSource, Workspace } from "../../workspace/workspace.js";
import { FAILURE_BUCKETS } from "./failure-buckets.js";
import type { Fixture } from "./read-fixtures.js";
import type { Scores } from "./refactor-scores.js";

/** Setting in which mutants are made and scored. */
interface MutantSetting {
  readonly fixture: Fixture;
  readonly source: TreeSource;
  readonly bench: Bench;
  /** Scores a tree whose author reports success. */
  readonly score: (tree: string) => Promise<Scores>;
}

/** Grades every mutant of a fixture: each has a class of failures that it must end in, and none may count as decomposed. */
export async function proveMutants(setting: MutantSetting): Promise<Proof[]> {
  const proofs: Proof[] = [];
  for (const mutant of await readMutants(setting.fixture)) proofs.push(await prove(mutant, setting));
  return proofs;
}

async function prove(mutant: Mutant, { fixture, source, bench, score }: MutantSetting): Promise<Proof> {
  const check = `mutant ${mutant.name}`;
  const expected = outcomeOf(mutant.bucket, mutant.tampered, false);
  try {
    const { tree } = await mutantTree(mutant, fixture, await Workspace.create(await bench.folder(), source));
    const { failureBucket, tampered, decomposed, failureKind } = await score(tree);
    return { check, outcome: outcomeOf(failureBucket, tampered, decomposed), expected, detail: failureKind };
  } catch (error) {
    return { check, outcome: null, expected, detail: messageOf(error) };
  }
}

async function mutantTree(mutant: Mutant, { goldPatch }: Fixture, workspace: Workspace): Promise<Workspace> {
  if (mutant.base === "gold" && goldPatch !== null) {
    const fault = await workspace.apply(await readPatch(goldPatch));
    if (fault !== null) throw new Error(fault);
  }
  await applyMutant(workspace.tree, mutant);
  return workspace;
}

function outcomeOf(bucket: string, isTampered: boolean, isDecomposed: boolean): string {
  return [bucket, ...(isTampered ? ["tampered"] : []), ...(isDecomposed ? ["decomposed"] : [])].join(", ");
}

const mutantSchema = z.object({
  name: z.string(),
  /** Code that it changes: the gold refactoring, or the original. */
  base: z.enum(["gold", "original"]),
  /** Expected class when its author reports success. */
  bucket: z.enum(["Passed", ...FAILURE_BUCKETS]),
  tampered: z.boolean().default(false),
  /** `file`: in the tree. */
  edits: z.array(z.object({ file: z.string(), find: z.string().min(1), replace: z.string() })),
});

/** A refactoring that is wrong in one known way. */
export type Mutant = z.infer<typeof mutantSchema>;

/** The mutants of a fixture; the released ones have none. */
export async function readMutants({ folder }: Fixture): Promise<Mutant[]> {
  const text = await readText(join(folder, "mutants.json")).catch(whereMissing(null));
  if (text === null) return [];
  return z.object({ mutants: z.array(mutantSchema) }).parse(JSON.parse(text)).mutants;
}

/**
 * Makes a tree, which is what the mutant starts from, the mutant.
 * @throws ProbeError `bad_input` where what is to be replaced does not stand there once; ToolFault for a file outside the tree
 */
export async function applyMutant(tree: string, { name, edits }: Mutant): Promise<void> {
  for (const { file, find, replace } of edits) {
    const place = { root: tree, path: await checkedPath(tree, file) };
    const text = (await readSealed(place)).toString("utf8");
    if (text.split(find).length !== 2) {
      throw badInput(`Expected the text of mutant "${name}" once in ${file}, found it otherwise.`);
    }
    const changed = text.replace(find, () => replace);
    await writeSealed(place, changed);
  }
}
