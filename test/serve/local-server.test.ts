import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { type LocalServer, serveLocally } from "../../src/serve/serve-until-interrupted.js";

let servers: LocalServer[] = [];

async function serve(routes: Hono, port = 0): Promise<LocalServer> {
  const server = await serveLocally({ command: "probe view", routes }, port);
  servers.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(servers.map(({ close }) => close()));
  servers = [];
});

describe("a local server", () => {
  it("listens on 127.0.0.1, under an address that cannot be guessed", async () => {
    const routes = new Hono().get("/", (context) => context.text("here"));
    const [first, second] = [await serve(routes), await serve(routes)];
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/$/);
    expect(new URL(second.url).pathname).not.toBe(new URL(first.url).pathname);
    expect(await (await fetch(first.url)).text()).toBe("here");
  });

  it("refuses a port that is taken", async () => {
    const { url } = await serve(new Hono());
    const port = Number(new URL(url).port);
    await expect(serve(new Hono(), port)).rejects.toThrow(
      `Expected port ${port} to be free, found it taken by another program. Leave --port out.`,
    );
  });

  it("ends when what is under way is answered, whatever connections browsers keep open", async () => {
    let answer = () => {};
    const waited = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const routes = new Hono().get("/slow", async (context) => {
      await waited;
      return context.text("whole");
    });
    const server = await serve(routes);
    const reply = fetch(`${server.url}slow`);
    // It must have come in before the server is told to stop.
    await expect.poll(() => fetch(server.url).then(({ status }) => status)).toBe(404);
    const closed = server.close();
    answer();
    expect(await (await reply).text()).toBe("whole");
    await closed;
  });
});
