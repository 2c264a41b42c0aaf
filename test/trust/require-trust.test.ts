import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ask, type Claim, claimId, isSameClaim, trustCommand } from "../../src/trust/claim.js";
import { changeTrust, readTrust, requireTrust, trustFilePath, writeTrust } from "../../src/trust/require-trust.js";
import { useFreshFolder } from "../fixtures/fresh-folder.js";

const folder = useFreshFolder();
const HASH = "a".repeat(64);
const added_at = "2026-11-22T12:00:00Z";
const key = { kind: "variable", name: "LAB_KEY" } as const;
const LAB: Claim = { kind: "server", origin: "http://127.0.0.1:8000", key };
const MODULE: Claim = { kind: "module", path: "/mine.ts", sha256: HASH };

const ask = (claim: Claim, more: Partial<Ask> = {}): Ask => ({
  claim,
  name: "lab",
  holder: "probe.config.json",
  ...more,
});

async function whenTrusted(trusted: readonly Claim[], asked: Ask): Promise<string | null> {
  const path = folder.path("trust.json");
  await writeTrust(
    path,
    trusted.map((claim) => ({ claim, added_at })),
  );
  return requireTrust([asked], { PROBE_TRUST_FILE: path }).then(
    () => null,
    (error: unknown) => {
      expect(error).toMatchObject({ code: "bad_input" });
      return error instanceof Error ? error.message : "";
    },
  );
}

describe("what a file asks for", () => {
  it("passes when exactly that was trusted", async () => {
    expect(await whenTrusted([MODULE, LAB], ask(LAB))).toBeNull();
    expect(await whenTrusted([MODULE, LAB], ask(MODULE))).toBeNull();
  });

  it.each<[string, Claim]>([
    ["another port", { ...LAB, origin: "http://127.0.0.1:8001" }],
    ["another scheme", { ...LAB, origin: "https://127.0.0.1:8000" }],
    ["another host", { ...LAB, origin: "http://127.0.0.2:8000" }],
    ["another variable", { ...LAB, key: { kind: "variable", name: "OPENAI_API_KEY" } }],
    ["a file in place of the variable", { ...LAB, key: { kind: "file", path: "/LAB_KEY" } }],
    ["another content", { ...MODULE, sha256: "b".repeat(64) }],
    ["another path", { ...MODULE, path: "/theirs.ts" }],
    ["commands in place of a module", { kind: "commands", folder: "/mine.ts", sha256: HASH }],
  ])("is refused with %s than what was trusted", async (_, claim) => {
    expect(await whenTrusted([LAB, MODULE], ask(claim))).toMatch(/^Expected/);
  });

  it("is refused with what was expected, what was found where, both ways out and the exact command", async () => {
    const words = "--base-url http://127.0.0.1:8000/v1 --api-key-env LAB_KEY";
    expect(await whenTrusted([], ask(LAB, { words }))).toBe(
      "Expected a key for a server that you named or trust, found $LAB_KEY for http://127.0.0.1:8000, which " +
        "probe.config.json names (lab): a file that was found sends no key by itself. Name it on the command line, " +
        `${words}, or trust it:\n  probe trust add --base-url http://127.0.0.1:8000 --api-key-env LAB_KEY`,
    );
  });

  it("is said to have changed when another content of it was trusted", async () => {
    expect(await whenTrusted([MODULE], ask({ ...MODULE, sha256: "b".repeat(64) }))).toContain("it has changed since");
    expect(await whenTrusted([], ask(MODULE))).not.toContain("changed");
  });

  it("is refused for a hash that is none, and for text that a shell would obey", async () => {
    expect(await whenTrusted([MODULE], ask({ ...MODULE, sha256: "" }))).toMatch(/^Expected modules/);
    const path = "/a b;$(rm).ts";
    expect(await whenTrusted([], ask({ ...MODULE, path }))).toContain("probe trust add --module '/a b;$(rm).ts'");
  });

  it("needs nothing where nothing is asked", async () => {
    await expect(requireTrust([], { PROBE_TRUST_FILE: folder.path("none") })).resolves.toBeUndefined();
  });
});

describe("a claim", () => {
  it("has an id of its own", () => {
    expect(claimId(LAB)).toMatch(/^[0-9a-f]{8}$/);
    expect(claimId(LAB)).not.toBe(claimId({ ...LAB, key: null }));
    expect(isSameClaim(LAB, { ...LAB })).toBe(true);
  });

  it.each<[Claim, string]>([
    [{ ...LAB, key: null }, "probe trust add --base-url http://127.0.0.1:8000"],
    [
      { ...LAB, key: { kind: "file", path: "/my key" } },
      "probe trust add --base-url http://127.0.0.1:8000 --api-key-file '/my key'",
    ],
    [{ kind: "commands", folder: "/data", sha256: HASH }, "probe trust add /data --yes"],
    [{ kind: "alias", name: "tiny", sha256: HASH }, "probe trust add --alias tiny"],
  ])("%o is trusted by: %s", (claim, command) => {
    expect(trustCommand(claim)).toBe(command);
  });
});

describe("the file of what is trusted", () => {
  it("is where the environment says, in the user's configuration folder otherwise, and never beside the data", () => {
    expect(trustFilePath({ PROBE_TRUST_FILE: "/t.json" })).toBe("/t.json");
    expect(trustFilePath({ XDG_CONFIG_HOME: "/c" })).toBe("/c/code-review-probe/trust.json");
    expect(trustFilePath({ XDG_CONFIG_HOME: "config" })).toMatch(/^\/.*\/\.config\/code-review-probe\/trust\.json$/);
    expect(() => trustFilePath({ PROBE_TRUST_FILE: "trust.json" })).toThrow(/Expected an absolute path/);
  });

  it("is written for the user alone, in folders of their own", async () => {
    const path = join(folder.path("config"), "code-review-probe", "trust.json");
    await writeTrust(path, [{ claim: LAB, added_at }]);
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
    expect(((await stat(folder.path("config"))).mode & 0o777).toString(8)).toBe("700");
    expect(await readTrust(path)).toEqual([{ claim: LAB, added_at }]);
  });

  it("trusts nothing where there is none", async () => {
    expect(await readTrust(folder.path("none"))).toEqual([]);
  });

  it.each([
    ["no JSON", "{"],
    ["of another version", '{"version":2,"trusted":[]}'],
    ["with an origin that has a path", file({ ...LAB, origin: "http://h/v1" })],
    ["with a relative path", file({ ...MODULE, path: "mine.ts" })],
    ["with a hash that is none", file({ ...MODULE, sha256: "*" })],
  ])("is refused when it is %s", async (_, text) => {
    const path = folder.path("trust.json");
    await writeFile(path, text, { mode: 0o600 });
    await expect(readTrust(path)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringContaining("Expected what you trust in"),
    });
  });

  it("is refused when others may write it, and left as it is", async () => {
    const path = folder.path("trust.json");
    await writeTrust(path, [{ claim: LAB, added_at }]);
    const before = await readFile(path, "utf8");
    await chmod(path, 0o620);
    await expect(readTrust(path)).rejects.toThrow(/writable by you alone, found mode 620/);
    expect(await readFile(path, "utf8")).toBe(before);
  });

  it("is refused when it cannot be read", async () => {
    await mkdir(folder.path("trust.json"));
    await expect(readTrust(folder.path("trust.json"))).rejects.toMatchObject({ code: "bad_input" });
  });
});

function file(claim: object): string {
  return JSON.stringify({ version: 1, trusted: [{ claim, added_at }] });
}

it("ends where the system makes no folder for the file, as /proc does not", async () => {
  const change = changeTrust("/proc/nope/probe/trust.json", (before) => before);
  await expect(change).rejects.toThrow("Expected to write /proc/nope/probe, found no folder for it");
});
