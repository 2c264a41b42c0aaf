import { describe, expect, it } from "vitest";
import { sorterWorth } from "../../../src/judge/classes/class-blocks.js";
import { type Classed, classify, classOf, type KnownFailure, readClass } from "../../../src/judge/classes/classing.js";

const CLASSES = ["a", "b", "c", "d"].map((id) => ({ id, title: id, meaning: id }));
const failure = (classId: string): KnownFailure => ({ classId, criterion: classId, why: null, submission: "" });
const read = (classId: string) => ({ status: "read", classId }) as const;
const classed = (is: string, first: string, second = first): Classed<KnownFailure> => ({
  failure: failure(is),
  votes: [read(first), read(second)],
});

describe("readClass", () => {
  it("takes one of the classes, alone or in a fence", () => {
    expect(readClass(CLASSES, '{"class": "B"}')).toEqual(read("b"));
    expect(readClass(CLASSES, 'So:\n```json\n{"class": "c", "justification": "x"}\n```')).toEqual(read("c"));
  });

  it.each(['{"class": "e"}', "b", '{"class": ["a"]}', 'It wrote {"class": "a"}, but {"class": "b"}', "{}"])(
    "reads none in %s",
    (reply) => expect(readClass(CLASSES, reply)).toEqual({ status: "unreadable" }),
  );
});

it("asks twice, in both orders: who names what stands first decides nothing", async () => {
  const classing = {
    classes: CLASSES,
    known: [],
    prompt: (_: unknown, told: readonly { readonly id: string }[]) =>
      ({ system: "", user: told[0]?.id ?? "", responseFormat: "json" }) as const,
  };
  const first = async (request: { readonly messages: readonly { readonly content?: string | null }[] }) => ({
    status: "said" as const,
    text: JSON.stringify({ class: request.messages[1]?.content }),
    toolCalls: [],
    promptTokens: 1,
    completionTokens: 1,
    end: "stop" as const,
    durationMs: 1,
  });
  const [found] = await classify(
    classing,
    [failure("a")],
    { converse: first, atOnce: 2, seed: 0 },
    AbortSignal.any([]),
  );
  expect(found?.votes).toEqual([read("a"), read("d")]);
  expect(found && classOf(found)).toBeNull();
});

describe("sorterWorth", () => {
  const worth = (...known: Classed<KnownFailure>[]) => sorterWorth("m", CLASSES, known, []).state;
  const rights = (n: number) => Array.from({ length: n }, () => classed("a", "a"));
  const wrongs = (n: number) => Array.from({ length: n }, () => classed("a", "b"));

  it("tells where Wilson's interval is above one in four, and is useless else", () => {
    // 5 of 8: 30.6 % at least; 4 of 8: 21.5 %.
    expect(worth(...rights(5), ...wrongs(3))).toBe("tells");
    expect(worth(...rights(4), ...wrongs(4))).toBe("useless");
    // Right once and wrong once is not right.
    expect(worth(...Array.from({ length: 8 }, () => classed("a", "a", "b")))).toBe("useless");
    expect(worth()).toBe("unknown");
    expect(worth({ failure: failure("a"), votes: [read("a"), { status: "lost", detail: "" }] })).toBe("unknown");
  });

  it("has the kappa of both askings", () => {
    // Half agree where by chance a quarter would: (1/2 − 1/4) / (1 − 1/4) = 1/3 of a/b/c/d once each, then swapped.
    const found = [classed("a", "a"), classed("a", "b"), classed("a", "c", "d"), classed("a", "d", "c")];
    expect(sorterWorth("m", CLASSES, rights(8), found).agreement.kappa).toBeCloseTo(1 / 3);
  });
});
