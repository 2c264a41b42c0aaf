import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The scripts of a task's tests, by how they are started. */
export interface TestScripts {
  readonly run: Script;
  /** Reads what `run` printed; `null`: `run` writes its report itself. */
  readonly parse: Script | null;
}

/** A script: its file in the folder of tests, and what runs it. */
export interface Script {
  readonly file: string;
  readonly program: string;
}

/** Programs that run scripts, by their endings; those of the released tasks are for bash and Python. */
const PROGRAMS: Readonly<Record<string, string>> = { mjs: process.execPath, sh: "bash", py: "python3" };

/** A script that is there and can be run; else why not, in words. */
export function findScript(folder: string, name: string, endings: readonly string[]): Script | string {
  const ending = endings.find((each) => existsSync(join(folder, `${name}.${each}`)));
  if (ending === undefined) return `no tests/${endings.map((each) => `${name}.${each}`).join(" or ")}`;
  const program = PROGRAMS[ending] ?? ending;
  return isThere(program) ? { file: `${name}.${ending}`, program } : `no ${program} to run tests/${name}.${ending}`;
}

function isThere(program: string): boolean {
  if (program.includes("/")) return existsSync(program);
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .some((folder) => folder !== "" && existsSync(join(folder, program)));
}
