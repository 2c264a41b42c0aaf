import { writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type KeySource, publicUrl, readKey, redactor } from "../../../src/model/http/secrets.js";
import { useFreshFolder } from "../../fixtures/fresh-folder.js";

const folder = useFreshFolder();

function source(fields: Partial<KeySource> = {}): KeySource {
  return { environmentVariable: "MY_KEY", isRequired: false, file: null, ...fields };
}

describe("readKey", () => {
  it("takes the key from the environment variable, spaces around it left out", async () => {
    expect(await readKey(source(), { MY_KEY: " sk-1\n" })).toBe("sk-1");
  });

  it("takes the first line of the file, before the environment", async () => {
    const file = folder.path("key");
    await writeFile(file, "\ufeffsk-file \r\nsk-second\r\n");
    expect(await readKey(source({ file }), { MY_KEY: "sk-environment" })).toBe("sk-file");
  });

  it.each([{}, { MY_KEY: "" }, { MY_KEY: "  " }])(
    "has none where %o is all there is and none is asked for",
    async (environment) => {
      expect(await readKey(source(), environment)).toBeNull();
    },
  );

  it.each([{}, { MY_KEY: "" }, { OTHER: "sk-1" }])("refuses %o where the variable was named", async (environment) => {
    await expect(readKey(source({ isRequired: true }), environment)).rejects.toMatchObject({
      code: "bad_input",
      message: expect.stringMatching(/MY_KEY.*empty/),
    });
  });

  it("refuses a file that is missing, and one whose first line is empty, though the environment has a key", async () => {
    const missing = readKey(source({ file: folder.path("none") }), { MY_KEY: "sk-1" });
    await expect(missing).rejects.toMatchObject({ code: "bad_input", message: expect.stringContaining("ENOENT") });
    const file = folder.path("empty");
    await writeFile(file, "\nsk-second\n");
    await expect(readKey(source({ file }), { MY_KEY: "sk-1" })).rejects.toMatchObject({ code: "bad_input" });
  });

  it.each(["sk-\u0007bell", "sk-\u201cquoted\u201d", "sk-a\tb"])(
    "refuses %j, which no header can hold, without showing it",
    async (key) => {
      const refusal = await readKey(source(), { MY_KEY: key }).catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "bad_input", message: expect.stringContaining("$MY_KEY") });
      expect(String(refusal)).not.toContain("sk-");
    },
  );
});

describe("redactor", () => {
  const KEY = "sk-proj-0123456789-wxyzWXYZ";

  it("replaces the whole key, wherever it is", () => {
    expect(redactor(KEY)(`key ${KEY}, again ${KEY}`)).toBe("key [key], again [key]");
  });

  it("replaces its first and last eight characters, as servers show them", () => {
    expect(redactor(KEY)("Incorrect API key: sk-proj-*******wxyzWXYZ")).toBe("Incorrect API key: [key]*******[key]");
    expect(redactor(KEY)("sk-proj wxyzWXY")).toBe("sk-proj wxyzWXY");
  });

  it("replaces only the whole of a short key, whose ends would be all of it", () => {
    // 15 characters
    expect(redactor("0123456789abcde")("01234567 89abcde 0123456789abcde")).toBe("01234567 89abcde [key]");
  });

  it("takes a key for text, not for a pattern", () => {
    expect(redactor("a.*$&")("a.*$& abc")).toBe("[key] abc");
  });

  it("leaves everything as it is without a key", () => {
    expect(redactor(null)("sk-1")).toBe("sk-1");
  });
});

describe("publicUrl", () => {
  it.each([
    ["http://user:pass@host:8080/v1/?key=secret#part", "http://host:8080/v1"],
    ["https://host/v1//", "https://host/v1"],
    ["https://token@host", "https://host"],
    ["http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"],
  ])("shows %s as %s", (url, expected) => {
    expect(publicUrl(url)).toBe(expected);
  });
});
