import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type CliResult, runProbe } from "../fixtures/cli.js";
import { startHttpServer } from "../fixtures/http-server.js";
import { MINI } from "../fixtures/reference.js";
import { ok, type StubHandler, type StubServer, startStub } from "../fixtures/stub-server.js";
import { vllm } from "../fixtures/stub-servers/vllm.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const TRUST = join(folder, "trust.json");
const KEYS = { LAB_KEY: "sk-lab-4f9a7c21d8e6b350", OPENAI_API_KEY: "sk-openai-90c1aa17e2d4f5b6" };
const KEY_FILE = join(folder, "private.txt");
const FILE_KEY = "the-first-line-of-a-private-file";
/** The keys that a server may see, and those that nobody is to see: of other accounts, in the environment too. */
const env = { ...KEYS, OPENAI_ADMIN_KEY: "sk-admin-77aa88bb99cc00dd", PROBE_TRUST_FILE: TRUST };

let sink: StubServer;
/** Behaves as a server that is asked things; what it was sent is looked at. */
let handler: StubHandler = () => null;

beforeAll(async () => {
  sink = await startStub((request) => handler(request));
  writeFileSync(KEY_FILE, `${FILE_KEY}\n`);
});
afterAll(() => sink.stop());
beforeEach(() => {
  handler = () => null;
  writeFileSync(TRUST, JSON.stringify({ version: 1, trusted: [] }), { mode: 0o600 });
});

/** What a command did, and which keys it sent. */
async function run(args: readonly string[], cwd = folder): Promise<CliResult & { sent: unknown[]; requests: number }> {
  const before = sink.requests.length;
  const result = await runProbe(args, { cwd, env });
  const seen = sink.requests.slice(before);
  return { ...result, requests: seen.length, sent: [...new Set(seen.map(({ headers }) => headers.authorization))] };
}

function project(name: string, config: object): string {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, "probe.config.json"), JSON.stringify(config));
  return cwd;
}

const asked = ["--dataset", MINI, "--task", "CTR", "--limit", "1"];
/** Every command that opens a model by its name. */
const OPENING = (name: string): readonly (readonly string[])[] => [
  ["run", "--model", name, ...asked, "--out", "refused"],
  ["run", "--model", name, ...asked, "--dry-run"],
  ["audit", "--model", name, ...asked, "--no-renamed", "--out", "refused"],
  ["audit", "--flips", "--model", name, ...asked, "--out", "refused"],
  ["dataset", "build", MINI, "--out", "built.jsonl", "--surrogate", name],
  ["models", "check", name],
];

describe("a probe.config.json that was found", () => {
  const alias = () => ({ model: "openai:auto", settings: { baseUrl: `${sink.url}/v1`, apiKeyEnv: "LAB_KEY" } });

  it("sends nothing by a name of the program's, whatever the command", async () => {
    const cwd = project("redefined", { models: { tiny: alias() } });
    for (const args of OPENING("tiny")) {
      const { code, stderr, requests } = await run(args, cwd);
      expect(stderr, args.join(" ")).toContain(
        "to be the model that comes with the program, found that probe.config.json",
      );
      expect(stderr).toContain("\n  probe trust add --alias tiny\n");
      expect([code, requests]).toEqual([2, 0]);
    }
  });

  it("sends no key by a name of its own, whatever the command", async () => {
    const cwd = project("own", { models: { lab: alias() } });
    for (const args of OPENING("lab")) {
      const { code, stderr, requests } = await run(args, cwd);
      expect(stderr, args.join(" ")).toContain(`found $LAB_KEY for ${sink.url}, which probe.config.json names (lab)`);
      expect([code, requests]).toEqual([2, 0]);
    }
  });

  it("sends the key once the command of the refusal was given, and says so before", async () => {
    const cwd = project("trusting", { models: { lab: alias() } });
    const check = ["models", "check", "lab"];
    const [, command = ""] = (await run(check, cwd)).stderr.trim().split("\n  probe ");
    expect(command).toBe(`trust add --base-url ${sink.url} --api-key-env LAB_KEY`);
    expect((await run(command.split(" "), cwd)).code).toBe(0);
    const { stderr, sent } = await run(check, cwd);
    expect(stderr.split("\n")[0]).toBe(`lab: ${sink.url}/v1 (probe.config.json), key $LAB_KEY.`);
    expect(sent).toEqual([`Bearer ${KEYS.LAB_KEY}`]);
    // Another variable for the same server is another thing.
    project("trusting", {
      models: { lab: { ...alias(), settings: { ...alias().settings, apiKeyEnv: "OPENAI_API_KEY" } } },
    });
    expect(await run(check, cwd)).toMatchObject({ code: 2, requests: 0 });
  });

  it("gets no key of the command line's for a server that it names, and no usual one", async () => {
    const server = { model: "openai:auto", settings: { baseUrl: `${sink.url}/v1` } };
    const cwd = project("keyless", { models: { lab: server } });
    expect(await run(["models", "check", "lab", "--api-key-env", "LAB_KEY"], cwd)).toMatchObject({
      code: 2,
      requests: 0,
    });
    const { stderr, sent } = await run(["models", "check", "lab"], cwd);
    expect(stderr.split("\n")[0]).toBe(`lab: ${sink.url}/v1 (probe.config.json), no key.`);
    expect(sent).toEqual([undefined]);
  });

  it.each(["openai:gpt-4o-mini", "mine.gguf"])(
    "gives %s, which says itself what it is, no other meaning",
    async (name) => {
      const cwd = project("misleading", { models: { [name]: alias() } });
      const { code, stderr, requests } = await run(["models", "check", name], cwd);
      expect(stderr).toContain("Expected aliases in probe.config.json that are no provider:name and no .gguf file");
      expect([code, requests]).toEqual([2, 0]);
    },
  );

  it("has no server asked as the model of every run until that is trusted, or the model named", async () => {
    const lab = { model: "openai:auto", settings: { baseUrl: `${sink.url}/v1` } };
    const cwd = project("usual", { models: { lab }, run: { model: "lab", task: "CTR", limit: 1 } });
    const trust = `\n  probe trust add --base-url ${sink.url}\n`;
    for (const args of [["run"], ["run", "--dry-run"], ["run", "--concurrency", "1"]]) {
      const { code, stderr, requests } = await run(args, cwd);
      expect(stderr).toContain(`Expected a server that you named or trust, found ${sink.url} for lab, which`);
      expect(stderr.endsWith(`Name it on the command line, --model lab, or trust it:${trust}`)).toBe(true);
      expect([code, requests]).toEqual([2, 0]);
    }
    expect((await run(["trust"], cwd)).stdout).toContain("not trusted");
    expect((await run(["run", "--model", "lab"], cwd)).requests).toBeGreaterThan(0);
    expect((await run(["trust", "add", "--yes"], cwd)).code).toBe(0);
    const { stderr, requests } = await run(["run"], cwd);
    expect(stderr.split("\n")[0]).toBe("From probe.config.json: --model lab --task CTR --limit 1");
    expect(requests).toBeGreaterThan(0);
  });

  it.each([
    ["openai:gpt-4o", "$OPENAI_API_KEY for https://api.openai.com, which probe.config.json names (openai:gpt-4o)"],
    ["huggingface:some/model", "$HF_TOKEN for https://router.huggingface.co, which"],
    ["qwen", "https://huggingface.co for qwen, which probe.config.json names"],
  ])("has %s neither asked nor fetched as the model of every run", async (model, found) => {
    const { code, stderr } = await run(["run"], project("usual-service", { run: { model } }));
    expect(stderr).toContain(`found ${found}`);
    expect(code).toBe(2);
  });

  it("is shown with all that it asks for, trusted as a whole, and no longer", async () => {
    const cwd = project("shown", { models: { lab: alias(), tiny: alias() } });
    const shown = await run(["trust"], cwd);
    expect(shown.stdout).toContain("$LAB_KEY");
    expect(shown.stdout.match(/not trusted/g)).toHaveLength(3);
    expect((await run(["trust", "add"], cwd)).code).toBe(2);
    expect((await run(["trust", "add", "--yes"], cwd)).code).toBe(0);
    const list = JSON.parse((await run(["trust", "list", "--json"], cwd)).stdout) as { trusted: { id: string }[] };
    expect(list.trusted).toMatchObject([
      { kind: "alias", name: "tiny" },
      { kind: "server", origin: sink.url },
    ]);
    expect((await run(["models", "check", "tiny"], cwd)).sent).toEqual([`Bearer ${KEYS.LAB_KEY}`]);
    expect((await run(["trust", "remove", ...list.trusted.map(({ id }) => id)], cwd)).code).toBe(0);
    expect(await run(["models", "check", "tiny"], cwd)).toMatchObject({ code: 2, requests: 0 });
  });
});

describe("a run folder that was found", () => {
  const theirs = join(folder, "theirs");
  const file = join(theirs, "run.json");
  type Connection = Readonly<Record<string, unknown>>;
  let made: { model: { connection: Connection }; parameters: object };

  /** The run, with a record that names the sink. */
  function name(connection: Connection, modelArgs: readonly string[] = []): void {
    const model = { ...made.model, label: "openai:auto", connection: { ...made.model.connection, ...connection } };
    const parameters = { ...made.parameters, model_args: modelArgs };
    // Without its checksum, as earlier versions wrote it: whoever forges a record leaves that out.
    writeFileSync(file, JSON.stringify({ ...made, model, parameters, status: "interrupted", crc: undefined }));
  }

  beforeAll(async () => {
    expect((await run(["run", "--model", "scripted:oracle", ...asked, "--out", theirs])).code).toBe(0);
    cpSync(theirs, join(folder, "other"), { recursive: true });
    made = JSON.parse(readFileSync(file, "utf8")) as typeof made;
  });

  it.each<[string, () => [Connection, string[]?], string]>([
    ["a variable", () => [{ base_urls: [sink.url], api_key_env: "LAB_KEY" }], "$LAB_KEY"],
    ["a file", () => [{ base_urls: [sink.url], api_key_file: KEY_FILE }], KEY_FILE],
    ["a variable among settings", () => [{}, [`baseUrl=${sink.url}`, "apiKeyEnv=LAB_KEY"]], "$LAB_KEY"],
  ])("sends the key that it names by %s to nobody", async (_, record, source) => {
    name(...record());
    for (const more of [[], ["--dry-run"], ["--base-url", sink.url]]) {
      const { code, stderr, stdout, requests } = await run(["run", "--resume", theirs, ...more]);
      expect(stderr).toContain(`found ${source} for ${sink.url}, which the run's run.json names`);
      expect([code, requests]).toEqual([2, 0]);
      expect(stdout + stderr).not.toContain(FILE_KEY);
    }
    expect((await run(["trust", theirs])).stdout).toContain("not trusted");
  });

  it("gets no key of the command line's unless the server is named there too", async () => {
    name({ base_urls: [sink.url], api_key_file: KEY_FILE });
    const key = ["--api-key-env", "LAB_KEY"];
    expect(await run(["run", "--resume", theirs, ...key])).toMatchObject({ code: 2, requests: 0 });
    const both = await run(["run", "--resume", theirs, ...key, "--base-url", sink.url]);
    expect(both.sent).toEqual([`Bearer ${KEYS.LAB_KEY}`]);
  });

  it("is gone on with once it is trusted", async () => {
    name({ base_urls: [sink.url], api_key_env: "LAB_KEY" });
    expect((await run(["trust", "add", theirs, "--yes"])).code).toBe(0);
    const { stderr, sent } = await run(["run", "--resume", theirs]);
    expect(stderr.split("\n")[0]).toBe(`openai:auto: ${sink.url} (the run's run.json), key $LAB_KEY.`);
    expect(sent).toEqual([`Bearer ${KEYS.LAB_KEY}`]);
  });

  it("is scored, compared and reported without a request", async () => {
    name({ base_urls: [sink.url], api_key_env: "LAB_KEY" });
    const commands = [
      ["score", theirs],
      ["compare", theirs, join(folder, "other")],
      ["report", theirs, "--out", join(folder, "page.html"), "--overwrite"],
      ["failures", theirs],
    ];
    for (const args of commands) expect((await run(args)).requests, args.join(" ")).toBe(0);
  });
});

describe("an audit that was found", () => {
  it("sends the key that it names to nobody", async () => {
    const out = join(folder, "audit");
    const what = ["--dataset", MINI, "--task", "CTR", "--limit", "1", "--no-renamed"];
    expect((await run(["audit", "--model", "tiny", ...what, "--out", out])).code).toBe(0);
    const file = join(out, "audit.json");
    const audit = JSON.parse(readFileSync(file, "utf8")) as {
      model: { connection: object };
      parameters: object;
    };
    const parameters = { ...audit.parameters, model_args: [] };
    const connection = { ...audit.model.connection, base_urls: [sink.url], api_key_env: "LAB_KEY" };
    writeFileSync(
      file,
      JSON.stringify({
        ...audit,
        parameters,
        model: { ...audit.model, label: "openai:auto", connection },
        crc: undefined,
      }),
    );
    const { code, stderr, requests } = await run(["audit", "--resume", out]);
    expect(stderr).toContain(`found $LAB_KEY for ${sink.url}, which the audit's audit.json names`);
    expect([code, requests]).toEqual([2, 0]);
    expect((await run(["trust", out])).stdout).toContain("not trusted");
  });
});

describe("a server of one's own", () => {
  it("gets no key that is meant for another service, and that is said", async () => {
    const { stderr, sent } = await run(["models", "check", "openai:auto", "--base-url", `${sink.url}/v1`]);
    expect(sent).toEqual([undefined]);
    expect(stderr.split("\n")[0]).toBe(
      `openai:auto: ${sink.url}/v1, no key; $OPENAI_API_KEY is not for it (--api-key-env OPENAI_API_KEY would send it).`,
    );
  });
});

describe("a key", () => {
  const KEY = KEYS.LAB_KEY;
  const texts = (out: string) =>
    readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));

  it.each<[string, readonly string[]]>([
    ["in the place of a variable's name", ["--base-url", "http://127.0.0.1:9/v1", "--api-key-env", KEY]],
    [
      "in the place of a name that a variable could have",
      ["--base-url", "http://127.0.0.1:9/v1", "--api-key-env", "hf_lab4f9a7c21d8e6b350"],
    ],
    ["in the place of a file's name", ["--base-url", "http://127.0.0.1:9/v1", "--api-key-file", KEY]],
    ["in a URL without a scheme", ["--base-url", `me:${KEY}@host/v1`]],
    ["in a URL that is none", ["--base-url", `http//${KEY}`]],
    ["as a setting", ["--base-url", "http://127.0.0.1:9/v1", "--model-arg", `apiKey=${KEY}`]],
  ])("is not repeated %s", async (_, args) => {
    const { code, stdout, stderr } = await run(["models", "check", "openai:auto", ...args]);
    expect(stderr).toContain("Expected");
    expect(code).toBe(2);
    expect(stdout + stderr).not.toMatch(/4f9a7c21|sk-lab/);
  });

  it.each([KEY, "hf_lab4f9a7c21d8e6b350"])(
    "is not repeated by an import, in the place of a variable's name",
    async (key) => {
      const { code, stdout, stderr } = await run(["dataset", "import", "github:octo-org/hello", "--api-key-env", key]);
      expect(code).toBe(2);
      expect(stdout + stderr).not.toContain("4f9a7c21");
    },
  );

  it("is not shown by the list of aliases, in whatever setting or URL it stands", async () => {
    const settings = { apiKey: KEY, token: KEY, baseUrl: `http://me:${KEY}@host/${KEY}/v1?k=${KEY}`, apiKeyEnv: KEY };
    const cwd = project("listed", { models: { lab: { model: "openai:auto", settings } } });
    for (const args of [["models", "--json"], ["models"], ["trust"]]) {
      const { stdout, stderr } = await run(args, cwd);
      expect(stdout + stderr).not.toMatch(/4f9a7c21|sk-lab/);
    }
    writeFileSync(join(cwd, "probe.config.json"), `{"models": {"lab": ${KEY}}}`);
    expect((await run(["models"], cwd)).stderr).not.toMatch(/4f9a7c21|sk-lab/);
  });

  it("is in no file of a run whose server has it in its URL, and whose server writes it everywhere", async () => {
    const answers = vllm();
    const leak = (text: string) => text.replaceAll("LEAK", KEY);
    const BASE64 = Buffer.from(KEY).toString("base64");
    handler = (request) => {
      const path = request.path.replace(`/${KEY}`, "");
      const reply = answers({ ...request, path });
      if (reply === null) return { status: 404, body: { detail: `no ${request.path}` } };
      const isGeneration = path === "/v1/completions" && Number(request.body["max_tokens"]) > 100;
      if (!isGeneration) return reply;
      const [choice] = (reply.body as { choices: object[] }).choices;
      return ok({
        ...(reply.body as object),
        choices: [{ ...choice, text: leak(`1 + LEAK ${BASE64}\n`), finish_reason: "stop" }],
      });
    };
    const out = join(folder, "leaky");
    const base = `${sink.url}/${KEY}/v1`;
    const args = ["--model", "openai:stub", "--base-url", base, "--api-key-env", "LAB_KEY"];
    const { code, stdout, stderr, sent } = await run([
      "run",
      ...args,
      "--dataset",
      MINI,
      "--task",
      "ACR",
      "--limit",
      "1",
      "--out",
      out,
    ]);
    expect(stderr).toContain("/[key]/v1, key $LAB_KEY.");
    expect(code, stderr).toBe(0);
    expect(sent).toEqual([`Bearer ${KEY}`]);
    expect((await run(["report", out, "--out", join(out, "page.html")])).code).toBe(0);
    for (const text of [...texts(out), stdout, stderr])
      expect([text.includes(KEY), text.includes(BASE64)]).toEqual([false, false]);
    expect(readFileSync(join(out, "generations.jsonl"), "utf8")).toContain("1 + [key] [key]");
    const resumed = await run(["run", "--resume", out]);
    expect(resumed.stderr).toContain("no record keeps a key. Name it again with --base-url.");
    expect(resumed.code).toBe(2);
  });
});

describe("an import", () => {
  it("sends the token to the hub, and not where the hub sends it on to", async () => {
    const hub = await startHttpServer((_, response) => {
      response.writeHead(302, { location: `${sink.url}/elsewhere` }).end();
    });
    const [before, token] = [sink.requests.length, "hf_4f9a7c21d8e6b350"];
    const args = ["dataset", "import", "hf:them/data", "--out", join(folder, "imported.jsonl")];
    await runProbe(args, { cwd: folder, env: { HF_ENDPOINT: hub.url, HF_TOKEN: token } });
    expect(new Set(hub.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${token}`]));
    const seen = sink.requests.slice(before);
    expect(seen.length).toBeGreaterThan(0);
    expect(new Set(seen.map(({ headers }) => headers.authorization))).toEqual(new Set([undefined]));
  });
});
