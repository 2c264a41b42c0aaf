import { describe, expect, it } from "vitest";
import { requireServerUrl, serverRoot } from "../../../src/model/server/server-access.js";

describe("serverRoot", () => {
  it.each([
    ["http://host:8080/v1", "http://host:8080"],
    ["http://host:8080/v1/", "http://host:8080"],
    ["http://host:8080", "http://host:8080"],
    ["http://host/api/v1", "http://host/api"],
    ["http://host/v12", "http://host/v12"],
  ])("of %s is %s", (baseUrl, root) => {
    expect(serverRoot(baseUrl)).toBe(root);
  });
});

describe("the URL of a server", () => {
  it("has no slash at its end", () => {
    expect(requireServerUrl("http://host:8080/v1//")).toBe("http://host:8080/v1");
  });

  it.each(["http://me:secret@host/v1", "http://host/v1?api-key=secret", "http://host/v1#secret"])(
    "has no part that a path cannot follow, which is not repeated: %s",
    (url) => {
      expect(() => requireServerUrl(url)).toThrow(/without user, password, query and fragment.*--api-key-env NAME/);
      expect(() => requireServerUrl(url)).not.toThrow(/secret/);
    },
  );
});
