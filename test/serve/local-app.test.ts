import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { localApp } from "../../src/serve/serve-until-interrupted.js";

const TOKEN = "t0ken";
const HOST = "127.0.0.1:4000";

const routes = new Hono()
  .get("/", (context) => context.html("<p>page</p>", 200, { "content-security-policy": "default-src 'self'" }))
  .get("/data", (context) => context.json({ whole: true }))
  .get("/broken", () => {
    throw new Error("out of paper");
  });

const app = localApp({ command: "probe view", routes }, TOKEN);

const ask = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  app.request(`http://${HOST}${path}`, { method, headers: { host: HOST, ...headers } });

describe("a local app", () => {
  it("answers under its token alone", async () => {
    expect((await ask(`/${TOKEN}/data`)).status).toBe(200);
    for (const path of ["/", "/data", "/other/data", `/${TOKEN}`, `/${TOKEN}x/data`, `//${TOKEN}/data`]) {
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    }
    expect(await (await ask("/other/")).json()).toEqual({
      error: "Expected the address that `probe view` printed, found another.",
    });
  });

  it.each(["evil.example", "127.0.0.1.evil.example", "10.0.0.1:4000", ""])("refuses the host name %j", async (host) => {
    expect((await ask(`/${TOKEN}/`, { host })).status).toBe(421);
  });

  it("takes the other names of this machine", async () => {
    for (const host of ["localhost:4000", "[::1]:4000"]) expect((await ask(`/${TOKEN}/`, { host })).status).toBe(200);
  });

  it.each(["http://evil.example", "null", `https://${HOST}`, "http://127.0.0.1:1"])(
    "refuses the origin %j",
    async (origin) => {
      expect((await ask(`/${TOKEN}/`, { origin })).status).toBe(403);
    },
  );

  it("takes its own origin", async () => {
    expect((await ask(`/${TOKEN}/`, { origin: `http://${HOST}` })).status).toBe(200);
  });

  it("names the methods it takes, to those with the token alone", async () => {
    const posted = await ask(`/${TOKEN}/data`, {}, "POST");
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect((await ask(`/${TOKEN}/`, {}, "DELETE")).status).toBe(405);
    expect((await ask("/other/data", {}, "POST")).status).toBe(404);
  });

  it("lets no reply do anything unless its route says so, and no browser keep it", async () => {
    const { headers } = await ask(`/${TOKEN}/data`);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-security-policy": "default-src 'none'",
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(headers.get("strict-transport-security")).toBeNull();
    expect((await ask(`/${TOKEN}/`)).headers.get("content-security-policy")).toBe("default-src 'self'");
  });

  it("says what went wrong, behind the same headers", async () => {
    const reply = await ask(`/${TOKEN}/broken`);
    expect([reply.status, await reply.json()]).toEqual([500, { error: "Unexpected error: out of paper" }]);
    expect(reply.headers.get("content-security-policy")).toBe("default-src 'none'");
  });
});
