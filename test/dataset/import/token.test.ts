import { expect, it } from "vitest";
import { readToken, withoutToken } from "../../../src/dataset/import/host-requests.js";

it("takes the first variable that holds a token", () => {
  const environment = { GITHUB_TOKEN: "  ", GH_TOKEN: " ghp_1 \n" };
  expect(readToken(["GITHUB_TOKEN", "GH_TOKEN"], environment)).toEqual({ variable: "GH_TOKEN", secret: "ghp_1" });
  expect(readToken(["GITHUB_TOKEN"], environment)).toBeNull();
});

it("refuses what cannot stand in a header, without showing it", () => {
  const read = () => readToken(["GH_TOKEN"], { GH_TOKEN: "ghp_sécret" });
  expect(read).toThrow("Expected a token of visible ASCII characters in $GH_TOKEN");
  expect(read).not.toThrow("cret");
});

it("takes the token out of a text", () => {
  expect(withoutToken("bad ghp_1, ghp_1!", { variable: "T", secret: "ghp_1" })).toBe("bad [token], [token]!");
  expect(withoutToken("as it is", null)).toBe("as it is");
});
