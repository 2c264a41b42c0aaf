import { describe, expect, it } from "vitest";
import { queueAddress, withoutSecret } from "../../src/queue/redis.js";

describe("queueAddress", () => {
  it("reads host, port, number, user and password, and shows no secret", () => {
    const { shown, options } = queueAddress("rediss://me:p%40ss@redis.lab:7000/2", {});
    expect(shown).toBe("rediss://redis.lab:7000/2");
    expect(options).toEqual({ host: "redis.lab", port: 7000, db: 2, username: "me", password: "p@ss", tls: {} });
  });

  it("takes the usual port, and the password of the environment where the URL has none", () => {
    const { options } = queueAddress("redis://127.0.0.1", { REDIS_PASSWORD: "hidden" });
    expect(options).toEqual({ host: "127.0.0.1", port: 6379, db: 0, password: "hidden" });
    expect(queueAddress("redis://:own@127.0.0.1", { REDIS_PASSWORD: "hidden" }).options.password).toBe("own");
  });

  it("takes an address of IPv6 without its brackets, and a password that is not written as URLs are", () => {
    expect(queueAddress("redis://[::1]:7000", {}).options).toEqual({ host: "::1", port: 7000, db: 0 });
    expect(queueAddress("redis://:50%@host", {}).options.password).toBe("50%");
  });

  it("refuses anything else, and repeats none of it", () => {
    for (const url of ["http://:secret@host", "secret", "redis://:secret@host/x", "redis://:secret@host/0?x=1"]) {
      expect(() => queueAddress(url, {})).toThrow(/^Expected redis:\/\/(?!.*secret)/);
    }
  });
});

describe("withoutSecret", () => {
  it("has a mark in place of the password", () => {
    const address = queueAddress("redis://:s3cret@host", {});
    expect(withoutSecret(address, "AUTH s3cret failed: s3cret")).toBe("AUTH [password] failed: [password]");
  });
});
