import type { LlamaModel, Token } from "node-llama-cpp";

/** Turns tokens into text; bytes that make no character become U+FFFD, and special tokens nothing. */
export interface TokenText {
  /** Text of tokens that begin a text: without the space that some tokenizers put before it. */
  atStart(tokens: readonly Token[]): string;
  /** Text of tokens that continue a text. */
  after(tokens: readonly Token[]): string;
}

/**
 * Decoder of this model's tokens. Byte-level BPE (Llama 3, Qwen, StarCoder) is decoded here: the engine's
 * own decoder removes spaces before `?`, `!`, `.`, `,` and contractions for some of these models, so that `a != b` comes
 * out as `a!= b`.
 */
export function tokenTextOf(model: LlamaModel): TokenText {
  const { model: kind, tokens } = model.fileInfo.metadata.tokenizer.ggml;
  return kind === "gpt2" ? byteLevelText(model, tokens) : engineText(model);
}

function engineText(model: LlamaModel): TokenText {
  // Behind something the decoder drops no leading space.
  const anchor = model.tokenize("a");
  const anchorLength = model.detokenize(anchor).length;
  return {
    atStart: (tokens) => model.detokenize(tokens),
    after: (tokens) => model.detokenize([...anchor, ...tokens]).slice(anchorLength),
  };
}

function byteLevelText(model: LlamaModel, vocabulary: readonly string[]): TokenText {
  const byteOf = byteLevelAlphabet();
  const known = new Map<Token, Uint8Array>();
  const bytesOf = (token: Token): Uint8Array => {
    const bytes = known.get(token) ?? tokenBytes(model, token, vocabulary[token] ?? "", byteOf);
    known.set(token, bytes);
    return bytes;
  };
  // A byte order mark in code is a character like others.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const decode = (tokens: readonly Token[]) => decoder.decode(Buffer.concat(tokens.map(bytesOf)));
  return { atStart: decode, after: decode };
}

function tokenBytes(
  model: LlamaModel,
  token: Token,
  spelling: string,
  byteOf: ReadonlyMap<string, number>,
): Uint8Array {
  const { userDefined, normal } = model.getTokenAttributes(token);
  if (userDefined) return Buffer.from(spelling);
  if (!normal) return new Uint8Array();
  const bytes: number[] = [];
  for (const character of spelling) {
    const byte = byteOf.get(character);
    if (byte === undefined) bytes.push(...Buffer.from(character));
    else bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

/** Byte-level BPE writes a byte as the printable Latin-1 character of its number, the others as U+0100, U+0101, …. */
function byteLevelAlphabet(): ReadonlyMap<string, number> {
  const alphabet = new Map<string, number>();
  let unprintable = 0;
  for (let byte = 0; byte < 256; byte++) {
    const isPrintable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
    alphabet.set(String.fromCharCode(isPrintable ? byte : 0x100 + unprintable), byte);
    if (!isPrintable) unprintable++;
  }
  return alphabet;
}
