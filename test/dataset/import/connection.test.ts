import { expect, it } from "vitest";
import { isUnreachable } from "../../../src/dataset/import/host-requests.js";
import { startHttpServer } from "../../fixtures/http-server.js";

it("finds a server that cannot be reached, as deep as fetch hides it", async () => {
  const server = await startHttpServer(() => {});
  await server.stop();
  const refused = await fetch(server.url).catch((error: unknown) => error);
  expect(isUnreachable(refused)).toBe(true);
  const several = new TypeError("fetch failed", {
    cause: new AggregateError([Object.assign(new Error("no"), { code: "ENETUNREACH" })]),
  });
  expect(isUnreachable(several)).toBe(true);
});

it("does not take a broken connection or a plain error for it", () => {
  expect(isUnreachable(Object.assign(new Error("reset"), { code: "ECONNRESET" }))).toBe(false);
  expect(isUnreachable(new Error("other"))).toBe(false);
  expect(isUnreachable("ENOTFOUND")).toBe(false);
});
