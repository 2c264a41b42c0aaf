import { join } from "node:path";
import { expect, it } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const env = { PROBE_TRUST_FILE: join(folder, "config", "trust.json") };
const trust = (...args: readonly string[]) => runProbe(["trust", ...args], { env, cwd: folder });

async function trusted(): Promise<readonly { readonly id: string; readonly origin: string }[]> {
  return JSON.parse((await trust("list", "--json")).stdout).trusted;
}

it("keeps what every one of several processes trusts at once, and what others take back meanwhile", async () => {
  const urls = Array.from({ length: 8 }, (_, i) => `http://127.0.0.1:${9001 + i}`);
  const added = await Promise.all(urls.map((url) => trust("add", "--base-url", url)));
  expect(added.map(({ code, stderr }) => [code, stderr.split(":")[0]])).toEqual(urls.map(() => [0, "Trusted"]));
  const all = await trusted();
  expect(all.map(({ origin }) => origin).sort()).toEqual(urls);
  const [first, second] = all;
  const changed = await Promise.all([
    trust("remove", first!.id),
    trust("remove", second!.id),
    trust("add", "--base-url", "http://127.0.0.1:9100"),
  ]);
  expect(changed.map(({ code }) => code)).toEqual([0, 0, 0]);
  const kept = [...all.slice(2).map(({ origin }) => origin), "http://127.0.0.1:9100"];
  expect((await trusted()).map(({ origin }) => origin).sort()).toEqual(kept.sort());
});
