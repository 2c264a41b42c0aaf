import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { readKey, redactor, replyRedactor, requireVariableName } from "../../../src/model/http/secrets.js";
import type { KeySource } from "../../../src/trust/claim.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

const VARIABLE: KeySource = { kind: "variable", name: "MY_KEY" };
const fileSource = (path: string): KeySource => ({ kind: "file", path });

describe("readKey", () => {
  it("takes the key from the environment variable, spaces around it left out", async () => {
    expect(await readKey(VARIABLE, false, { MY_KEY: " sk-1\n" })).toBe("sk-1");
  });

  it("takes the first line of the file", async () => {
    const file = folder.path("key");
    await writeFile(file, "\ufeffsk-file \r\nsk-second\r\n");
    expect(await readKey(fileSource(file), true, { MY_KEY: "sk-environment" })).toBe("sk-file");
  });

  it.each([{}, { MY_KEY: "" }, { MY_KEY: "  " }])(
    "has none where %o is all there is and none is asked for",
    async (environment) => {
      expect(await readKey(VARIABLE, false, environment)).toBeNull();
    },
  );

  it.each([{}, { MY_KEY: "" }, { OTHER: "sk-1" }])("refuses %o where the variable was named", async (environment) => {
    await expect(readKey(VARIABLE, true, environment)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(/MY_KEY.*empty/),
    });
  });

  it.each(["hf_AbCdEfGhIjKlMnOp", "AKIA0123456789ABCDEF", "sk_live_4f9a7c21"])(
    "does not repeat %s, a key put in the place of a variable's name",
    async (name) => {
      const refusal = await readKey({ kind: "variable", name }, true, {}).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "bad_input" });
      expect(String(refusal)).not.toContain(name.slice(0, 8));
    },
  );

  it("refuses a file that is missing without repeating its name, which may be a key", async () => {
    const path = folder.path("sk-proj-none");
    const refusal = await readKey(fileSource(path), true, { MY_KEY: "sk-1" }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "bad_input", message: expect.stringContaining("no such file") });
    expect(String(refusal)).not.toContain("sk-proj");
  });

  it("refuses a file whose first line is empty", async () => {
    const file = folder.path("empty");
    await writeFile(file, "\nsk-second\n");
    await expect(readKey(fileSource(file), true, {})).rejects.toMatchObject({ code: "bad_input" });
  });

  it.each(["sk-\u0007bell", "sk-\u201cquoted\u201d", "sk-a\tb"])(
    "refuses %j, which no header can hold, without showing it",
    async (key) => {
      const refusal = await readKey(VARIABLE, false, { MY_KEY: key }).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "bad_input", message: expect.stringContaining("$MY_KEY") });
      expect(String(refusal)).not.toContain("sk-");
    },
  );
});

describe("requireVariableName", () => {
  it("takes what a shell takes", () => {
    expect(requireVariableName("_my_KEY2", "--api-key-env")).toBe("_my_KEY2");
  });

  it.each(["sk-proj-4f9a7c21", "2KEY", "A B", "", "A".repeat(200)])("refuses %j without repeating it", (name) => {
    expect(() => requireVariableName(name, "--api-key-env")).toThrow(
      /^Expected the name of an environment variable for --api-key-env, found something else \(not shown/,
    );
  });
});

describe("redactor", () => {
  const KEY = "sk-proj-0123456789-wxyzWXYZ";

  it("replaces the whole key, wherever it is", () => {
    expect(redactor([KEY])(`key ${KEY}, again ${KEY}`)).toBe("key [key], again [key]");
  });

  it("replaces its first and last eight characters, as servers show them", () => {
    expect(redactor([KEY])("Incorrect API key: sk-proj-*******wxyzWXYZ")).toBe("Incorrect API key: [key]*******[key]");
    expect(redactor([KEY])("sk-proj wxyzWXY")).toBe("sk-proj wxyzWXY");
  });

  it("replaces only the whole of a short key, whose ends would be all of it", () => {
    // 15 characters
    expect(redactor(["0123456789abcde"])("01234567 89abcde 0123456789abcde")).toBe("01234567 89abcde [key]");
  });

  it("takes a key for text, not for a pattern", () => {
    expect(redactor(["a.*$&"])("a.*$& abc")).toBe("[key] abc");
  });

  it("leaves everything as it is without a key", () => {
    expect(redactor([])("sk-1")).toBe("sk-1");
  });
});

describe("replyRedactor", () => {
  const KEY = 'sk-4f9a7c21"/x';
  const clean = replyRedactor([KEY]);

  it("replaces the key in texts and names of a reply, and leaves what else there is", () => {
    const reply = { text: `the key is ${KEY}, ${KEY}`, [KEY]: [1, null, { deep: KEY }], n: 0.1 };
    expect(JSON.parse(clean(JSON.stringify(reply)))).toEqual({
      text: "the key is [key], [key]",
      "[key]": [1, null, { deep: "[key]" }],
      n: 0.1,
    });
  });

  it("finds it where JSON writes it in escapes", () => {
    const escaped = [...KEY].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
    expect(clean(`{"text":"${escaped}"}`)).toBe('{"text":"[key]"}');
  });

  it("replaces it in what is no JSON", () => {
    expect(clean(`<p>${KEY}</p>`)).toBe("<p>[key]</p>");
  });

  it("leaves a reply without it as it came, to the digit", () => {
    const reply = '{"a": 1.10, "b": "x\\ny", "c": 12345678901234567890}';
    expect(clean(reply)).toBe(reply);
  });

  it("leaves what a short key would be found in: such keys are no secrets", () => {
    expect(replyRedactor(["none"])('{"none":"none"}')).toBe('{"none":"none"}');
  });
});
