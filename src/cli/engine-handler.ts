import { badInput, modelUnavailable } from "../base/errors.js";
import { nearHint } from "../base/near-names.js";
import { shorten } from "../base/text.js";
import { type Console, EXIT, type ExitCode, jsonText } from "../console/console.js";
import { type EngineBuild, engineBuilds } from "../model/llama/package/engine-builds.js";
import { ENGINE, engineVersion, readEngineLock } from "../model/llama/package/engine-lock.js";
import { engineFolder, findEngines, hasBuild } from "../model/llama/package/find-engine.js";
import { buildsToHave, installEngine } from "../model/llama/package/install-engine.js";
import type { Block } from "../report/block.js";
import { type ColumnOf, sentence, tableOf, textColumn } from "../report/make-block.js";
import { showBlocks } from "../report/terminal.js";

interface BuildState extends EngineBuild {
  readonly isInstalled: boolean;
}

const COLUMNS: readonly ColumnOf<BuildState>[] = [
  textColumn("build", "build", ({ name }) => name),
  textColumn("installed", "installed", ({ isInstalled }) => (isInstalled ? "yes" : "no")),
  textColumn("about", "about", ({ about }) => about, { importance: 2 }),
];

/** Shows the builds there are for this machine, and which it has. */
export async function handleEngine(isJson: boolean, console: Console): Promise<ExitCode> {
  const [modules = null] = findEngines();
  const builds = engineBuilds().map((build) => ({
    ...build,
    isInstalled: modules !== null && hasBuild(modules, build),
  }));
  const version = engineVersion(readEngineLock());
  if (isJson) console.out(jsonText({ engine: ENGINE, version, modules, builds }));
  else showBlocks(console, blocks(version, modules, builds));
  return EXIT.done;
}

function blocks(version: string, modules: string | null, builds: readonly BuildState[]): Block[] {
  return [
    sentence(`${ENGINE} ${version}, ${modules === null ? "not installed: `probe engine install`" : `in ${modules}`}`),
    ...(builds.length === 0 ? [sentence(noBuilds())] : [tableOf(null, COLUMNS, builds)]),
  ];
}

/** Fetches the engine with the builds named. */
export async function handleEngineInstall(
  named: readonly string[],
  isJson: boolean,
  console: Console,
): Promise<ExitCode> {
  const all = engineBuilds();
  const unknown = named.find((name) => !all.some((build) => build.name === name));
  if (all.length === 0) throw modelUnavailable(noBuilds());
  if (unknown !== undefined) {
    const names = all.map(({ name }) => name).join(", ");
    throw badInput(
      `Expected builds among ${names}, found "${shorten(unknown, 60)}".${nearHint(
        unknown,
        all.map(({ name }) => name),
      )}`,
    );
  }
  const builds = buildsToHave(all, named);
  console.err(`Fetching the engine (${builds.map(({ name }) => name).join(", ")}) into ${engineFolder()} …\n`);
  const installed = await installEngine(builds, (message) => console.err(`${message}\n`));
  for (const name of installed.unhashed) {
    console.err(`${name}: this program does not know its hash; what the registry sent was taken, as npm takes it.\n`);
  }
  for (const message of installed.messages) console.err(`${message}\n`);
  if (isJson) console.out(jsonText(installed));
  else console.out(`The engine works, on the ${installed.gpu === false ? "processor" : `GPU (${installed.gpu})`}.\n`);
  return EXIT.done;
}

function noBuilds(): string {
  return (
    `Expected Linux, macOS or Windows on a processor that the engine is built for, found ${process.platform} ` +
    `${process.arch}. Ask a server: --model openai:auto --base-url http://127.0.0.1:8000/v1.`
  );
}
