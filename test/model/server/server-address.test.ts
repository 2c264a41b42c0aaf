import { describe, expect, it } from "vitest";
import { serverRoot } from "../../../src/model/server/server-access.js";

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
