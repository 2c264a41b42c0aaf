import { join } from "node:path";
import type { Block } from "../../report/block.js";
import { notice, sentence, tableOf, textColumn } from "../../report/make-block.js";
import { writeTable } from "../../store/csv.js";
import { makeFolder } from "../../store/folder/work-folder.js";
import type { Cage, Sandbox } from "../../workspace/cage.js";
import type { BenchAdapter, OwnValues } from "../adapter.js";
import { type BenchRoom, openRoom, TaskCages } from "../bench-room.js";
import type { BenchTask, Proof, Runtime } from "../bench-task.js";
import { codeOf, requireSandbox, wordsOf } from "../named-code.js";
import { selectTasks } from "../plan-trials.js";
import { VALIDITY, validityRows } from "../score/trial-tables.js";
import type { TaskCheck } from "../trial-records.js";
import { checkTask } from "./check-task.js";
import { MUTANTS, mutantRows, mutationDocument, strengthBlocks } from "./mutant-blocks.js";
import { type MutationCheck, testMutants } from "./test-mutants.js";

interface CheckRequest {
  /** Values of the suite's own options. */
  readonly values: OwnValues;
  readonly data: string | null;
  readonly taskId: readonly string[];
  readonly sandbox: Sandbox;
  /** Image for a container; `null`: none. */
  readonly image: string | null;
  /** Mutants a task; `null`: none. */
  readonly mutants: number | null;
  /** Seed by which mutants are drawn. */
  readonly seed: number;
  /** A folder for `validity.csv` and `mutants.csv`; `null`: none is written. */
  readonly out: string | null;
  readonly workingDirectory: string;
  readonly say: (message: string) => void;
}

interface CheckedTask extends TaskCheck {
  readonly proofs: readonly Proof[];
  /** `null`: not asked for. */
  readonly mutation: MutationCheck | null;
}

/** Result of a check of a suite's tasks. */
interface SuiteCheck {
  readonly blocks: readonly Block[];
  readonly document: object;
  /** True if everything could be run, and every wrong solution failed as it was made to. */
  readonly isComplete: boolean;
}

/** Checks the tasks of a suite, and its graders by solutions that are known to be wrong. */
export async function checkSuite<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  request: CheckRequest,
): Promise<SuiteCheck> {
  const data = await adapter.load(request.data, request.workingDirectory, request.values);
  const tasks = selectTasks(data, { taskId: request.taskId, sample: null, seed: 0, limit: null });
  const runtime = await adapter.runtime(request.values);
  const cages = await TaskCages.open(adapter, {
    sandbox: request.sandbox,
    image: request.image,
    hidden: [...data.hidden, request.workingDirectory],
  });
  requireSandbox(wordsOf(codeOf({ data: request.data, repo: request.values["repo"] })), cages.common);
  const room = await openRoom(`check ${process.pid} ${adapter.name} ${data.source}`, request.say);
  const checked: CheckedTask[] = [];
  try {
    for (const task of tasks) {
      const { cage, obstacle } = await cages.of(task);
      const bench = room.open(cage, new AbortController().signal);
      const found = await checkTask(adapter, task, runtime, bench, obstacle);
      const proofs = found.valid === true ? ((await adapter.proofs?.(task, bench)) ?? []) : [];
      await bench.close();
      request.say(`${checked.length + 1} of ${tasks.length}: ${task.id} ${WORDS.get(found.valid) ?? ""}`);
      const mutation = await mutationOf(adapter, task, found, { request, runtime, room, cage });
      checked.push({ ...found, proofs, mutation });
    }
  } finally {
    await room.close();
  }
  if (request.out !== null) {
    await makeFolder(request.out);
    await writeTable(join(request.out, VALIDITY.file), VALIDITY, validityRows(adapter.name, checked));
    if (request.mutants !== null)
      await writeTable(join(request.out, MUTANTS.file), MUTANTS, mutantRows(adapter.name, checked));
  }
  return resultOf(checked);
}

interface MutationPlace {
  readonly request: CheckRequest;
  readonly runtime: Runtime;
  readonly room: BenchRoom;
  readonly cage: Cage;
}

async function mutationOf<Task extends BenchTask>(
  adapter: BenchAdapter<Task>,
  task: Task,
  check: TaskCheck,
  { request: { mutants: count, seed, say }, ...place }: MutationPlace,
): Promise<MutationCheck | null> {
  if (count === null) return null;
  const told = (done: number, all: number) => {
    if (done % TOLD_MUTANTS === 0 || done === all) say(`${task.id}: ${done} of ${all} mutants`);
  };
  const onUnkept = (why: string) => say(`${task.id}: later runs will not show how strong its tests are. ${why}`);
  return testMutants(task, check, { adapter, ...place, count, seed, say: told, onUnkept });
}

/** Mutants between two lines that say how far it is. */
const TOLD_MUTANTS = 10;

const WORDS = new Map<boolean | null, string>([
  [true, "valid"],
  [false, "invalid"],
  [null, "not checked"],
]);

function resultOf(tasks: readonly CheckedTask[]): SuiteCheck {
  const valid = tasks.filter((task) => task.valid === true).length;
  const proofs = tasks.flatMap((task) => task.proofs);
  const wrong = tasks.flatMap((task) => task.proofs.filter(isWrong).map((proof) => ({ task, proof })));
  const proved = proofs.length - wrong.length;
  return {
    isComplete: tasks.every((task) => task.valid !== null) && wrong.length === 0,
    document: {
      tasks: tasks.map(({ task_id, group, valid: isValid, reason, checks, proofs: own, mutation }) => ({
        task_id,
        group,
        valid: isValid,
        reason,
        checks: [...checks, ...own],
        ...(mutation !== null && mutationDocument(mutation)),
      })),
    },
    blocks: [
      tableOf(
        null,
        [
          textColumn<CheckedTask>("task", "task", ({ task_id }) => task_id),
          textColumn<CheckedTask>("valid", "valid", (task) => WORDS.get(task.valid) ?? ""),
          textColumn<CheckedTask>("reason", "why not", ({ reason }) => reason ?? "", { width: 50 }),
        ],
        tasks,
      ),
      sentence(`${valid} of ${tasks.length} tasks are valid.`),
      ...tasks.flatMap(failureBlocks),
      ...(proofs.length === 0
        ? []
        : [sentence(`${proved} of ${proofs.length} wrong solutions fail as they were made to.`)]),
      ...wrong.map(({ task, proof }) =>
        notice(
          "bad",
          `${task.task_id}, ${proof.check}: expected ${proof.expected}, found ${proof.outcome ?? "nothing"}`,
        ),
      ),
      ...strengthBlocks(tasks),
    ],
  };
}

function isWrong({ outcome, expected }: Proof): boolean {
  return outcome !== expected;
}

/** Tests that fail where a valid task passes, of each check that counted them. */
function failureBlocks({ task_id, checks }: CheckedTask): Block[] {
  return checks.flatMap(({ check, outcome, expected, tests }) => {
    if (tests === undefined || outcome === expected) return [];
    const all = tests.passed + tests.failed.length;
    const items = tests.failed.map(({ name, message }) => [message === "" ? name : `${name}: ${message}`]);
    const said = sentence(
      `${task_id}, ${check}: ${tests.passed} of ${all} tests pass${items.length > 0 ? "; these do not:" : "."}`,
    );
    return items.length === 0 ? [said] : [said, { kind: "list", items }];
  });
}
