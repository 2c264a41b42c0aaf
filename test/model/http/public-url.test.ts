import { describe, expect, it } from "vitest";
import { hiddenParts, isHidden, isPublic, publicUrl } from "../../../src/model/http/public-url.js";

describe("publicUrl", () => {
  it.each([
    ["http://user:pass@host:8080/v1/?key=secret#part", "http://host:8080/v1"],
    ["https://host/v1//", "https://host/v1"],
    ["https://token@host", "https://host"],
    ["http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"],
    ["https://host/openai/deployments/gpt-4o-mini/v1", "https://host/openai/deployments/gpt-4o-mini/v1"],
    ["https://host/compatible-mode/v1beta", "https://host/compatible-mode/v1beta"],
    ["https://host/team-a/qwen2.5-7b/v1", "https://host/team-a/qwen2.5-7b/v1"],
  ])("shows %s as %s", (url, expected) => {
    expect(publicUrl(url)).toBe(expected);
  });

  it.each([
    "sk-proj-4f9a7c21d8e6b350",
    "hf_AbCdEfGhIjKlMnOp",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "s3cr3t",
    "my-secret-path",
    "AbCdEfGh",
    "ABCDEFGHIJKL",
    "%73k-1",
    "a".repeat(50),
  ])("hides %s in a path, where gateways take keys", (segment) => {
    expect(publicUrl(`https://host/${segment}/v1`)).toBe("https://host/[key]/v1");
    expect(isHidden(publicUrl(`https://host/${segment}/v1`))).toBe(true);
  });

  it("is the same for a URL that was shown", () => {
    expect(publicUrl("https://host/[key]/v1")).toBe("https://host/[key]/v1");
  });
});

describe("isPublic", () => {
  it("is whether a shown URL is the whole one: also a short password or a query is left out", () => {
    const plain = ["http://127.0.0.1:8000/v1", "https://host/v1/", "localhost:8000/v1"];
    expect(plain.map(isPublic)).toEqual([true, true, true]);
    const secret = [
      "http://a:b@host/v1",
      "http://a@host/v1",
      "http://host/v1?a=1",
      "http://host/#a",
      "http://host/sk-4f9a7c21/v1",
    ];
    expect(secret.filter(isPublic)).toEqual([]);
  });
});

describe("hiddenParts", () => {
  it("are user, password, query and the odd parts of the path, also decoded", () => {
    expect(hiddenParts("https://someone:pass%20word@host/sk-4f9a7c21/v1?key=0123456789&a=1")).toEqual([
      "someone",
      "pass%20word",
      "pass word",
      "sk-4f9a7c21",
      "0123456789",
    ]);
  });

  it("are none of a plain URL", () => {
    expect(hiddenParts("http://127.0.0.1:8000/v1")).toEqual([]);
  });
});
