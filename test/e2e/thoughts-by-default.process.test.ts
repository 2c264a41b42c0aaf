import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runProbe } from "../fixtures/cli.js";
import { MINI } from "../fixtures/reference.js";
import { type StubServer, startStub } from "../fixtures/stub-server.js";
import { openai } from "../fixtures/stub-servers/openai.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const ASKED = ["--dataset", MINI, "--task", "CTR", "--limit", "2", "--prompt-mode", "chat"];

/** A service of models that reports log probabilities, and takes that thoughts be off or refuses it. */
async function start(takesOff: () => boolean): Promise<StubServer> {
  const api = openai();
  const server = await startStub((request) =>
    request.body["reasoning_effort"] !== undefined && !takesOff()
      ? { status: 400, body: { error: { message: "Unrecognized request argument supplied: reasoning_effort" } } }
      : api(request),
  );
  onTestFinished(() => server.stop());
  return server;
}

const at = ({ url }: StubServer) => ["--base-url", `${url}/v1`];
const efforts = ({ requests }: StubServer, from: number) =>
  new Set(requests.slice(from).flatMap(({ method, body }) => (method === "POST" ? [body["reasoning_effort"]] : [])));

/** As a kill leaves it. */
function cut(out: string): void {
  const file = join(folder, out, "answers.jsonl");
  const lines = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, `${lines.slice(0, 5).join("\n")}\n`);
}

function recorded(out: string) {
  const { model, parameters } = JSON.parse(readFileSync(join(folder, out, "run.json"), "utf8")) as {
    model: { identity: Record<string, unknown>; check: Record<string, unknown> };
    parameters: Record<string, unknown>;
  };
  return { thoughts: model.identity["thoughts"], checked: model.check["thoughts"], think: parameters["think"] };
}

it("a run asks with thoughts off, says so, and goes on so", async () => {
  const server = await start(() => true);
  const begun = await runProbe(["run", "--model", "openai:stub", ...at(server), ...ASKED, "--out", "new"], {
    cwd: folder,
  });
  expect([begun.code, begun.stderr]).toEqual([0, expect.stringContaining("thoughts off")]);
  expect(efforts(server, 0)).toEqual(new Set(["none"]));
  expect(recorded("new")).toEqual({ thoughts: "off", checked: "off", think: undefined });
  cut("new");
  const before = server.requests.length;
  expect(await runProbe(["run", "--resume", "new", ...at(server)], { cwd: folder })).toMatchObject({ code: 0 });
  expect(efforts(server, before)).toEqual(new Set(["none"]));
});

it("a run that was begun with nothing said of thoughts goes on so, though its server would take that they be off", async () => {
  let takesOff = false;
  const server = await start(() => takesOff);
  const begun = await runProbe(["run", "--model", "openai:stub", ...at(server), ...ASKED, "--out", "old"], {
    cwd: folder,
  });
  expect(begun.code).toBe(0);
  // As it was recorded before there was a default: identity and parameters are the same, its check has no word of it.
  expect(recorded("old")).toEqual({ thoughts: undefined, checked: "as the model does", think: undefined });
  cut("old");
  takesOff = true;
  const before = server.requests.length;
  expect(await runProbe(["run", "--resume", "old", ...at(server)], { cwd: folder })).toMatchObject({ code: 0 });
  expect(server.requests.length).toBeGreaterThan(before + 5);
  expect(efforts(server, before)).toEqual(new Set([undefined]));
});

it("the check before a run shows which it is", async () => {
  for (const [takes, said] of [
    [true, "thoughts off"],
    [false, "thoughts as the model does"],
  ] as const) {
    const server = await start(() => takes);
    const check = ["models", "check", "openai:stub", ...at(server), "--prompt-mode", "chat"];
    const { code, stdout } = await runProbe(check, { cwd: folder });
    expect([code, stdout.replace(/\s+/g, " ")]).toEqual([0, expect.stringContaining(said)]);
  }
});
