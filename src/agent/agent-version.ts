import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProbeError } from "../base/errors.js";
import { shorten, visibleLine } from "../base/text.js";
import type { Cage } from "../workspace/cage.js";

const LIMIT_MS = 60_000;
const LONGEST = 100;

/**
 * The version of an agent: the first line that its command prints, run in the cage in a folder of its own, without network.
 * @throws ProbeError `bad_input` where it fails, or prints nothing
 */
export async function agentVersion(command: string, cage: Cage): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "probe-version-"));
  try {
    const env = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", LANG: "C.UTF-8", HOME: folder };
    const argv = ["/bin/sh", "-c", command] as const;
    const permissions = { workspace: folder, writesWorkspace: true, writes: [], reads: [], network: false };
    const run = { argv, cwd: folder, env, limitMs: LIMIT_MS };
    const { end, code, output } = await cage.run(run, permissions, new AbortController().signal);
    const [first = ""] = output.trim().split("\n");
    if (end === "exited" && code === 0 && first !== "") return visibleLine(shorten(first.trim(), LONGEST));
    const found = `${end}${code === null ? "" : ` ${code}`}${first === "" ? "" : `: ${visibleLine(shorten(first, LONGEST))}`}`;
    throw new ProbeError("bad_input", `Expected --agent-version-cmd to print a version, found ${found}.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
