import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { transformWithOxc } from "vite";
import { packageOf } from "./places.mjs";

const STUB = "\0stub:";

/**
 * Finds a fixture's modules for vitest.
 * @param missing told the packages that are not there
 * @param stubbed told the mocked ones that are not
 */
export function fixturePlugin({ places, runner, missing, stubbed }) {
  return {
    name: "fixture",
    enforce: "pre",
    async resolveId(specifier, importer) {
      const from = importer?.split("?")[0];
      if (from === undefined || specifier.startsWith("\0") || !places.isOfFixture(from) || from.endsWith(".html"))
        return null;
      const found = places.lead(specifier, dirname(from));
      if (found !== null) return found.file ?? (found.stub === undefined ? null : STUB + found.stub);
      if (isBuiltin(specifier)) return null;
      const provided = await this.resolve(specifier, join(runner, "run.mjs"), { skipSelf: true });
      if (provided !== null) return provided;
      if (places.isStub(specifier)) {
        stubbed.add(specifier);
        return STUB + specifier;
      }
      missing.add(packageOf(specifier));
      return null;
    },
    load(id) {
      return id.startsWith(STUB) ? "export default {};" : null;
    },
    // JSX may stand in `.js`, as it does where such code comes from.
    async transform(code, id) {
      const file = id.split("?")[0];
      if (!places.isOfFixture(file) || !/\.m?js$/.test(file)) return null;
      return transformWithOxc(code, file, { lang: "jsx", jsx: { runtime: "automatic" }, sourcemap: true });
    },
  };
}
