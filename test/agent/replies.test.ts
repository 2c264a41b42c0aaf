import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  openReplyBook,
  REPLIES,
  type RecordedReplies,
  type ReplyRecord,
  readReplies,
  recordingConverse,
} from "../../src/agent/replies.js";
import type { ConversationReply, ConversationRequest, Converse } from "../../src/model/conversation.js";
import { JournalWriter } from "../../src/store/journal/journal-writer.js";
import { temporaryFolder } from "../fixtures/temporary-folder.js";

const folder = temporaryFolder();
const identity = { provider: "openai", name: "m" };
const signal = new AbortController().signal;
const nothing = { agent: new Map(), judge: new Map() };

function request(trial = 0, content = "hello"): ConversationRequest {
  return {
    messages: [{ role: "user", content }],
    tools: [],
    toolChoice: "none",
    maxTokens: 8,
    temperature: 0,
    seed: 0,
    responseFormat: null,
    key: { taskId: "t", condition: "c", trial, attempt: 0, turn: 0 },
  };
}

const said = (text: string): ConversationReply => ({
  status: "said",
  text,
  toolCalls: [],
  promptTokens: 1,
  completionTokens: 1,
  end: "stop",
  durationMs: 1,
});

async function recordedTo(path: string, converse: Converse, asked: readonly ConversationRequest[]) {
  const journal = await JournalWriter.open(path, REPLIES, { fingerprint: "f" });
  const book = { before: nothing, append: (each: ReplyRecord) => journal.append(each) };
  const recording = recordingConverse({ converse, identity, recorded: null, mode: "off", book });
  for (const each of asked) await recording(each, signal);
  await journal.close();
  return readReplies(path);
}

const replay = (recorded: RecordedReplies, mode: "only" | "prefer", converse: Converse | null = null) =>
  recordingConverse({ converse, identity, recorded, mode, book: { before: nothing, append: async () => undefined } });

describe("recorded replies", () => {
  it("answer the same request of the same trial, and no other", async () => {
    let n = 0;
    const recorded = await recordedTo(join(folder, "a.jsonl"), async () => said(String(n++)), [request(0), request(1)]);
    expect(recorded.model).toEqual(identity);
    const only = replay(recorded, "only");
    expect(await only(request(0), signal)).toMatchObject({ text: "0" });
    // The same words in another trial are another draw: else Pass^2 would equal Pass@1.
    expect(await only(request(1), signal)).toMatchObject({ text: "1" });
    for (const other of [request(2), request(0, "bye")])
      expect(await only(other, signal)).toMatchObject({ status: "failed", failure: "unavailable" });
  });

  it("are recorded of a request of any length, such as a judge's about all that an agent handed in", async () => {
    // Six letters of JSON each: 12 MB, of which a journal takes 8 a line.
    const long = request(0, "\u0001".repeat(2_000_000));
    const recorded = await recordedTo(join(folder, "long.jsonl"), async () => said("read"), [long]);
    expect(await replay(recorded, "only")(long, signal)).toMatchObject({ text: "read" });
  });

  it("are asked for where they are missing only with prefer", async () => {
    const recorded = await recordedTo(join(folder, "b.jsonl"), async () => said("old"), [request()]);
    const asked: string[] = [];
    const prefer = replay(recorded, "prefer", async ({ messages }) => {
      asked.push(String(messages[0]?.content));
      return said("new");
    });
    expect(await prefer(request(), signal)).toMatchObject({ text: "old" });
    expect(await prefer(request(0, "bye"), signal)).toMatchObject({ text: "new" });
    expect(asked).toEqual(["bye"]);
  });

  it("do not keep that a server was down", async () => {
    const down: ConversationReply = { status: "failed", failure: "unavailable", detail: "down" };
    const path = join(folder, "c.jsonl");
    await expect(recordedTo(path, async () => down, [request()])).rejects.toThrow(/Expected recorded replies in/);
  });

  it("of the run itself answer whatever is to be replayed, to their speaker alone, and are not recorded twice", async () => {
    const run = join(folder, "run");
    mkdirSync(run);
    const file = join(run, REPLIES.file);
    await recordedTo(file, async () => said("before"), [request()]);
    for (const [speaker, text] of [
      ["agent", "before"],
      ["judge", "now"],
    ] as const) {
      const book = await openReplyBook(run, { fingerprint: "f" });
      const options = {
        converse: async () => said("now"),
        identity,
        recorded: null,
        mode: "off",
        book,
        speaker,
      } as const;
      expect(await recordingConverse(options)(request(), signal)).toMatchObject({ text });
      await book.close();
    }
    // Of the agent what was there, of the judge what was said now; behind the header.
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(3);
  });
});
