import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { packageRoot } from "./folders.js";

const packageSchema = z.object({ name: z.string(), version: z.string() });
const buildSchema = z.object({ commit: z.string().nullable() });

/** The program that made a result. */
interface ProgramIdentity {
  readonly name: string;
  readonly version: string;
  /** The commit it was built from, `+changes` when the tree had changes; `null` outside a repository. */
  readonly commit: string | null;
  readonly node: string;
}

export function programIdentity(): ProgramIdentity {
  const { name, version } = packageSchema.parse(readJson("package.json"));
  return { name, version, commit: readCommit(), node: process.version };
}

function readCommit(): string | null {
  try {
    return buildSchema.parse(readJson("dist/build.json")).commit;
  } catch {
    return null;
  }
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(packageRoot, path), "utf8"));
}
