import { describe, expect, it } from "vitest";
import { fetchFile, fetchFor, fetchReply } from "../../../src/dataset/import/host-requests.js";
import { startHttpServer } from "../../fixtures/http-server.js";

const KEY = { headers: { authorization: "Bearer secret" } };

describe.each([
  ["fetchReply", fetchReply],
  ["fetchFile", fetchFile],
])("%s", (_, send) => {
  it("follows a redirection, and shows the token to the same host alone", async () => {
    const other = await startHttpServer((_request, response) => void response.end("the file"));
    const first = await startHttpServer(({ path }, response) => {
      const location = path === "/old" ? "/new" : `${other.url}/store`;
      response.writeHead(302, { location }).end();
    });
    expect(await (await send(`${first.url}/old`, KEY)).text()).toBe("the file");
    expect(first.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer secret", "Bearer secret"]);
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it("gives an error's status and text", async () => {
    const server = await startHttpServer((_request, response) => void response.writeHead(404).end("gone"));
    const reply = await send(server.url);
    expect([reply.status, await reply.text()]).toEqual([404, "gone"]);
  });
});

describe("the limit of what is imported", () => {
  const endless = () =>
    startHttpServer((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 32)));
      };
      response.on("drain", more);
      more();
    });

  it("cuts off a reply that never ends", async () => {
    await expect(fetchReply((await endless()).url)).rejects.toThrow(
      "expected a body of at most 12582912 bytes, found a longer one",
    );
  });

  it("leaves a file to its reader, and hangs up when that has enough", async () => {
    const server = await endless();
    const reply = await fetchFile(server.url);
    let bytes = 0;
    for await (const chunk of reply.body!) {
      bytes += chunk.length;
      if (bytes > 40 * 1024 * 1024) break;
    }
    await expect.poll(() => server.connections.open).toBe(0);
  });
});

describe("fetchFor", () => {
  const TOKEN = { variable: "T", secret: "secret" };
  const headerOf = (secret: string) => ({ "private-token": secret });

  it("shows the secret to its own scheme, host and port alone, there and back again", async () => {
    const foreign = await startHttpServer(({ path }, response) => {
      response.writeHead(302, { location: `${decodeURIComponent(path.slice(1))}/back` }).end();
    });
    const own = await startHttpServer(({ path }, response) => {
      if (path === "/back") response.end("here");
      else response.writeHead(302, { location: `${foreign.url}/${encodeURIComponent(own.url)}` }).end();
    });
    const reply = await fetchFor(
      `${own.url}/api`,
      TOKEN,
      headerOf,
    )(`${own.url}/away`, { headers: { accept: "text/plain" } });
    expect(await reply.text()).toBe("here");
    const seen = [...own.requests, ...foreign.requests].map(({ headers }) => headers["private-token"]);
    expect(seen).toEqual(["secret", "secret", undefined]);
    expect([...own.requests, ...foreign.requests].every(({ headers }) => headers.accept === "text/plain")).toBe(true);
  });

  it("takes the secret out of a reply that repeats it", async () => {
    const server = await startHttpServer(({ headers }, response) => void response.end(`"${headers["private-token"]}"`));
    expect(await (await fetchFor(server.url, TOKEN, headerOf)(server.url)).json()).toBe("[token]");
  });
});
