import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Engine from "node-llama-cpp";
import { z } from "zod";
import { modelUnavailable } from "../../../base/errors.js";
import { cacheFolder } from "../../../base/folders.js";
import type { EngineBuild } from "./engine-builds.js";
import { ENGINE, engineVersion, readEngineLock } from "./engine-lock.js";

/** Exports of the engine. */
type EngineModule = typeof Engine;

const manifestSchema = z.object({ name: z.string(), version: z.string(), main: z.string().optional() });

/** Folder that `probe engine install` puts the engine in; each version has its own. */
export function engineFolder(environment: NodeJS.ProcessEnv = process.env): string {
  return environment["PROBE_ENGINE_DIR"] || join(cacheFolder(environment), `engine-${engineVersion(readEngineLock())}`);
}

/**
 * The folders `node_modules` that hold the engine in the version that is used: the one of `probe engine install` before
 * those beside this package.
 */
export function findEngines(environment: NodeJS.ProcessEnv = process.env): string[] {
  const beside = createRequire(import.meta.url).resolve.paths(ENGINE) ?? [];
  const version = engineVersion(readEngineLock());
  return [join(engineFolder(environment), "node_modules"), ...beside].filter(
    (modules) => readManifest(join(modules, ENGINE))?.version === version,
  );
}

/**
 * The engine for GGUF models. It is no part of the install, so that who asks servers alone need not have it.
 * @throws ProbeError `model_unavailable` where it was not fetched
 */
export async function importEngine(): Promise<EngineModule> {
  return import(engineEntry());
}

/**
 * URL of the engine's module.
 * @throws ProbeError `model_unavailable` where it was not fetched
 */
export function engineEntry(): string {
  const [modules] = findEngines();
  if (modules === undefined) {
    throw modelUnavailable(
      "Expected the engine that runs GGUF models, found that it is not installed. `probe engine install` fetches it " +
        "once for this user (51 MB); or ask a server: --model openai:auto --base-url http://127.0.0.1:8000/v1.",
    );
  }
  const folder = join(modules, ENGINE);
  return pathToFileURL(join(folder, readManifest(folder)?.main ?? "")).href;
}

/** `true` for a folder `node_modules` that has all of a build. An empty package may stand in the place of one. */
export function hasBuild(modules: string, { packages }: EngineBuild): boolean {
  return packages.every((name) => readManifest(join(modules, name))?.name === name);
}

function readManifest(folder: string): z.infer<typeof manifestSchema> | null {
  const path = join(folder, "package.json");
  if (!existsSync(path)) return null;
  return manifestSchema.safeParse(JSON.parse(readFileSync(path, "utf8"))).data ?? null;
}
