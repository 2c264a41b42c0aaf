import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { VENDORS } from "../../../src/model/vendor/vendors.js";

it("each vendor, and the variable of its key, stands in the table of docs/servers.md", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/servers.md"), "utf8");
  const [, table = ""] = page.split("## Vendors\n");
  for (const { name, keyVariable } of VENDORS) {
    const row = table.split("\n").find((line) => line.startsWith("| ") && line.includes(`\`${name}\``));
    expect(row, name).toBeDefined();
    if (keyVariable !== null) expect(row).toContain(`\`${keyVariable}\``);
  }
});
