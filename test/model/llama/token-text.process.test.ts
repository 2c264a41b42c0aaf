import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { getLlama, type Llama, LlamaLogLevel, type LlamaModel } from "node-llama-cpp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TokenText, tokenTextOf } from "../../../src/model/llama/token-text.js";
import { tokenEnds } from "../../../src/model/wire/sequence-scores.js";
import { vocabularyFile } from "../../fixtures/gguf.js";
import { temporaryFolder } from "../../fixtures/temporary-folder.js";
import { TINY_FILE } from "./open-tiny.js";

const folder = temporaryFolder();
let llama: Llama;

beforeAll(async () => {
  llama = await getLlama({ gpu: false, build: "never", skipDownload: true, logLevel: LlamaLogLevel.disabled });
});

afterAll(() => llama.dispose());

/** The alphabet of byte-level BPE, by byte: "Ā" + n for the n-th byte that is not printable Latin-1. */
function alphabet(): string[] {
  let next = 0x100;
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
    return String.fromCodePoint(isPrintable ? byte : next++);
  });
}

/** A byte-level vocabulary like Llama 3's: 256 bytes, some merges, a token of the user's, an end. `Ġ` is a space. */
async function byteLevelModel(): Promise<LlamaModel> {
  const merges = ["Ġ .", "Ġ !", "Ġ! =", "Ġ ?", "Ġ '", "Ġ' s"];
  const bytes = alphabet();
  const tokens = [...bytes, ...merges.map((merge) => merge.replace(" ", "")), "é<user>", "<|end|>"];
  const NORMAL = 1;
  const CONTROL = 3;
  const USER_DEFINED = 4;
  const types = tokens.map((token) => (token === "<|end|>" ? CONTROL : token === "é<user>" ? USER_DEFINED : NORMAL));
  const path = join(folder, "byte-level.gguf");
  const end = tokens.length - 1;
  writeFileSync(
    path,
    vocabularyFile({
      "general.architecture": "llama",
      "tokenizer.ggml.model": "gpt2",
      "tokenizer.ggml.pre": "llama-bpe",
      "tokenizer.ggml.tokens": tokens,
      "tokenizer.ggml.token_type": types,
      "tokenizer.ggml.merges": merges,
      "tokenizer.ggml.bos_token_id": end,
      "tokenizer.ggml.eos_token_id": end,
    }),
  );
  return llama.loadModel({ modelPath: path, vocabOnly: true });
}

const TEXTS = [
  "if (a != b) c ? d : 'e' ; x . y // it 's 'z' ",
  "\ufeffété 😀👩‍💻 \ufffd\r\n\t\0 \u00ad end",
  " leading",
  "  ",
];

function roundTrip(model: LlamaModel, text: string, tokenText: TokenText): void {
  const tokens = model.tokenize(text);
  expect(tokenText.atStart(tokens)).toBe(text);
  const ends = tokenEnds(text, tokens.length, (start, end) =>
    start === 0 ? tokenText.atStart(tokens.slice(0, end)) : tokenText.after(tokens.slice(start, end)),
  );
  expect(ends.status).toBe("aligned");
}

describe("the text of byte-level tokens", () => {
  it.each(TEXTS)("is what was tokenised: %j", async (text) => {
    const model = await byteLevelModel();
    roundTrip(model, text, tokenTextOf(model));
    await model.dispose();
  });

  it("keeps the spaces that the engine's own decoder removes", async () => {
    const model = await byteLevelModel();
    const tokens = model.tokenize("a != b .");
    expect(tokenTextOf(model).after(tokens)).toBe("a != b .");
    // Once this is no longer so, a decoder of our own is no longer needed.
    expect(model.detokenize(tokens)).toBe("a!= b.");
    await model.dispose();
  });

  it("shows a token of the user's as it is written, and special tokens not at all", async () => {
    const model = await byteLevelModel();
    const text = tokenTextOf(model);
    // 256 bytes and 6 merges stand before it.
    const [user, end] = [262, 263].flatMap((id) => model.tokenize("a").fill(id as never));
    expect(text.after([user!])).toBe("é<user>");
    expect(text.after([user!, end!])).toBe("é<user>");
    await model.dispose();
  });
});

describe("the text of SentencePiece tokens", () => {
  it.each(TEXTS)("is what was tokenised: %j", async (text) => {
    const model = await llama.loadModel({ modelPath: TINY_FILE, vocabOnly: true });
    roundTrip(model, text, tokenTextOf(model));
    await model.dispose();
  });

  it("keeps the space before a word that goes on", async () => {
    const model = await llama.loadModel({ modelPath: TINY_FILE, vocabOnly: true });
    const tokens = model.tokenize("return value");
    const text = tokenTextOf(model);
    expect(tokens.map((token) => text.after([token])).join("")).toBe("return value");
    await model.dispose();
  });
});
