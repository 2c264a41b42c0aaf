import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { httpClient } from "../../../src/model/http/http-client.js";
import { startHttpServer } from "../../fixtures/http-server.js";

function openFetch(maxSockets = 4): ReturnType<typeof httpClient> {
  const http = httpClient(maxSockets);
  onTestFinished(() => http.close());
  return http;
}

describe("httpClient", () => {
  it("sends method, headers and body, and gives status, headers and body", async () => {
    const server = await startHttpServer((_, response) => {
      response.writeHead(418, { "x-kind": "teapot", "set-cookie": ["a=1", "b=2"] }).end("häh?");
    });
    const reply = await openFetch().fetch(`${server.url}/v1/x?y=1`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: "Bearer k" },
      body: '{"text":"é"}',
    });
    expect(server.requests).toMatchObject([
      {
        method: "POST",
        path: "/v1/x?y=1",
        headers: { "content-type": "application/json", authorization: "Bearer k", "accept-encoding": "identity" },
        body: '{"text":"é"}',
      },
    ]);
    expect(reply.status).toBe(418);
    expect(reply.ok).toBe(false);
    expect(reply.headers.get("x-kind")).toBe("teapot");
    expect(reply.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await reply.text()).toBe("häh?");
  });

  it("asks by GET unless told otherwise", async () => {
    const server = await startHttpServer((_, response) => void response.end("{}"));
    const reply = await openFetch().fetch(new URL("/props", server.url));
    expect(server.requests).toMatchObject([{ method: "GET", path: "/props", body: "" }]);
    expect(await reply.json()).toEqual({});
  });

  it("sends one request after another over connections that it keeps", async () => {
    const server = await startHttpServer((_, response) => void response.end("ok"));
    const { fetch } = openFetch();
    for (let i = 0; i < 5; i++) expect((await fetch(server.url)).status).toBe(200);
    expect(server.requests).toHaveLength(5);
    // A second one is opened when a request comes before the first is known to be free again.
    expect(server.connections.opened).toBeLessThanOrEqual(2);
  });

  it("gives every fresh request a connection of its own", async () => {
    const server = await startHttpServer((_, response) => void response.end("ok"));
    const { freshFetch } = openFetch();
    for (let i = 0; i < 3; i++) expect((await freshFetch(server.url)).status).toBe(200);
    expect(server.connections.opened).toBe(3);
  });

  it("leaves its connections when told to: those in use when their request is done", async () => {
    const server = await startHttpServer(async ({ path }, response) => {
      if (path === "/slow") await sleep(50);
      response.end(path);
    });
    const { fetch, refresh } = openFetch();
    await fetch(server.url);
    const slow = fetch(`${server.url}/slow`);
    await sleep(20);
    refresh();
    // The slow request keeps its connection; the next one opens another.
    expect(await (await fetch(`${server.url}/next`)).text()).toBe("/next");
    expect(await (await slow).text()).toBe("/slow");
    await expect.poll(() => server.connections.open).toBe(1);
  });

  it("ends no process where connections are to be renewed after they were closed", async () => {
    const faults: unknown[] = [];
    const note = (error: unknown) => void faults.push(error);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    const http = httpClient(1);
    http.refresh();
    http.close();
    http.refresh();
    await sleep(20);
    expect(faults).toEqual([]);
  });

  it("opens no more connections than it may, and still sends all requests", async () => {
    const server = await startHttpServer(async ({ path }, response) => {
      await sleep(5);
      response.end(path);
    });
    const { fetch } = openFetch(2);
    const paths = Array.from({ length: 8 }, (_, i) => `/${i}`);
    const replies = await Promise.all(paths.map(async (path) => (await fetch(server.url + path)).text()));
    expect(replies).toEqual(paths);
    expect(server.connections.opened).toBe(2);
  });

  it("closes its connections when it is closed", async () => {
    const server = await startHttpServer((_, response) => void response.end("ok"));
    const { fetch, close } = openFetch();
    await fetch(server.url);
    expect(server.connections.open).toBe(1);
    close();
    await expect.poll(() => server.connections.open).toBe(0);
  });

  it("rejects a body shorter than announced, and asks again over a new connection", async () => {
    let asked = 0;
    const server = await startHttpServer((_, response) => {
      if (asked++ > 0) return void response.end("whole");
      response.writeHead(200, { "content-length": 100 });
      response.write('{"half":', () => response.destroy());
    });
    const { fetch } = openFetch();
    await expect(fetch(server.url)).rejects.toThrow(/aborted|closed/);
    expect(await (await fetch(server.url)).text()).toBe("whole");
    expect(server.connections.opened).toBe(2);
  });

  it("rejects a chunked body without its end", async () => {
    const server = await startHttpServer((_, response) => {
      response.write('{"half":', () => response.destroy());
    });
    await expect(openFetch().fetch(server.url)).rejects.toThrow(/aborted|closed/);
  });

  it("rejects when the connection closes before a reply", async () => {
    const server = await startHttpServer((_, response) => void response.destroy());
    await expect(openFetch().fetch(server.url)).rejects.toThrow("other side closed");
  });

  it("rejects with the system's code when nothing listens", async () => {
    const server = await startHttpServer(() => {});
    await server.stop();
    await expect(openFetch().fetch(server.url)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("sends nothing for a signal that is aborted already", async () => {
    const server = await startHttpServer((_, response) => void response.end("ok"));
    const reason = new Error("stop");
    await expect(openFetch().fetch(server.url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.connections.opened).toBe(0);
  });

  it("rejects at an abort while it waits for a reply, and closes the connection", async () => {
    const controller = new AbortController();
    const server = await startHttpServer(() => controller.abort());
    await expect(openFetch().fetch(server.url, { signal: controller.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    await expect.poll(() => server.connections.open).toBe(0);
  });

  it("rejects at an abort in the middle of a body", async () => {
    const controller = new AbortController();
    const server = await startHttpServer((_, response) => {
      response.write("half", () => setTimeout(() => controller.abort(), 20));
    });
    await expect(openFetch().fetch(server.url, { signal: controller.signal })).rejects.toThrow();
    await expect.poll(() => server.connections.open).toBe(0);
  });

  it.each([204, 304])("gives a reply %d, which has no body", async (status) => {
    const server = await startHttpServer((_, response) => void response.writeHead(status).end());
    const reply = await openFetch().fetch(server.url);
    expect(reply.status).toBe(status);
    expect(reply.body).toBeNull();
  });

  it("refuses a body that is not text", async () => {
    const { fetch } = openFetch();
    await expect(fetch("http://127.0.0.1:1", { method: "POST", body: new Uint8Array(1) })).rejects.toThrow(
      "Expected a text body.",
    );
  });
});
