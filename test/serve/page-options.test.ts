import { describe, expect, it } from "vitest";
import { parseOptions } from "../../src/console/option.js";
import { PAGE_OPTIONS } from "../../src/serve/page-options.js";

const page = (given: Record<string, unknown>) => parseOptions(PAGE_OPTIONS, given);

describe("--port and --no-open", () => {
  it("take any free port and open a browser unless told otherwise", () => {
    expect(page({})).toEqual({ port: null, noOpen: false });
    expect(page({ port: "65535", noOpen: true })).toEqual({ port: 65_535, noOpen: true });
  });

  it("refuse what is no port", () => {
    expect(() => page({ port: "65536" })).toThrow("Expected a port up to 65535 for --port, found 65536.");
    expect(() => page({ port: "-1" })).toThrow("Expected a whole number of at least 0 for --port");
  });
});
