// node bench/shaped-model.mjs SHAPE FILE: a GGUF file of the shape of a real model with seeded random weights in Q8_0, to
// measure speed and memory with. It reads like that model and knows nothing. The vocabulary is the bundled model's,
// filled up with unused tokens to the real one's size.
import { closeSync, existsSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { readGgufFileInfo } from "node-llama-cpp";
import { cacheFolder } from "../dist/src/base/folders.js";

/** Qwen2.5-Coder: 494 million and 1.54 billion parameters, from the published configurations. */
const SHAPES = {
  "0.5b": { width: 896, layers: 24, heads: 14, kvHeads: 2, feedForward: 4864, vocabulary: 151_936, context: 32_768 },
  "1.5b": { width: 1536, layers: 28, heads: 12, kvHeads: 2, feedForward: 8960, vocabulary: 151_936, context: 32_768 },
};
const TINY = join(import.meta.dirname, "../models/tiny.gguf");
const SEED = 20_261_122;

// Numbers of the GGUF format, version 3.
const VERSION = 3;
const ALIGNMENT = 32;
const KIND = { u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 };
const F32 = 0;
const Q8_0 = 8;
/** A block of Q8_0: a scale in half precision and 32 weights of a byte each. */
const BLOCK = 32;
const BLOCK_BYTES = 2 + BLOCK;
/** 0x0c7a is 2.7e-4 in half precision: weights spread evenly over ±127 of it deviate by 0.02. */
const SCALE = [0x7a, 0x0c];
const UNUSED_TOKEN = 5;

/** The path of the file of a shape, written on first use into the cache folder. */
export async function shapedModel(shape) {
  const path = join(cacheFolder(process.env), "bench", `shape-${shape}-${SEED}.gguf`);
  if (!existsSync(path)) await writeShapedModel(shape, path);
  return path;
}

export async function writeShapedModel(shape, path) {
  const size = SHAPES[shape];
  if (size === undefined) {
    throw new Error(`Expected a shape out of ${Object.keys(SHAPES).join(", ")}, found ${shape}.`);
  }
  mkdirSync(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  const file = openSync(part, "w");
  const tensors = tensorsOf(size);
  const header = headerOf(await metadataOf(shape, size), tensors);
  writeSync(file, header);
  const random = randomBytes(SEED);
  for (const tensor of tensors) writeTensor(file, tensor, random);
  closeSync(file);
  renameSync(part, path);
}

function tensorsOf({ width, layers, heads, kvHeads, feedForward, vocabulary }) {
  const kv = (width / heads) * kvHeads;
  const weight = (name, ...shape) => ({ name: `${name}.weight`, shape, kind: Q8_0 });
  const norm = (name) => ({ name: `${name}.weight`, shape: [width], kind: F32, value: 1 });
  const bias = (name, length) => ({ name: `${name}.bias`, shape: [length], kind: F32, value: 0 });
  const layer = (_, i) => {
    const block = `blk.${i}`;
    return [
      norm(`${block}.attn_norm`),
      weight(`${block}.attn_q`, width, width),
      bias(`${block}.attn_q`, width),
      weight(`${block}.attn_k`, width, kv),
      bias(`${block}.attn_k`, kv),
      weight(`${block}.attn_v`, width, kv),
      bias(`${block}.attn_v`, kv),
      weight(`${block}.attn_output`, width, width),
      norm(`${block}.ffn_norm`),
      weight(`${block}.ffn_gate`, width, feedForward),
      weight(`${block}.ffn_up`, width, feedForward),
      weight(`${block}.ffn_down`, feedForward, width),
    ];
  };
  const blocks = Array.from({ length: layers }, layer).flat();
  return [weight("token_embd", width, vocabulary), ...blocks, norm("output_norm")];
}

async function metadataOf(shape, { width, layers, heads, kvHeads, feedForward, vocabulary, context }) {
  const { metadata } = await readGgufFileInfo(TINY, { readTensorInfo: false, logWarnings: false });
  const { ggml } = metadata.tokenizer;
  const filled = (values, more) => [
    ...values,
    ...Array.from({ length: vocabulary - values.length }, (_, i) => more(i)),
  ];
  const ids = Object.entries(ggml)
    .filter(([name, value]) => name.endsWith("_token_id") && typeof value === "number")
    .map(([name, value]) => [`tokenizer.ggml.${name}`, "u32", value]);
  const flags = Object.entries(ggml)
    .filter(([, value]) => typeof value === "boolean")
    .map(([name, value]) => [`tokenizer.ggml.${name}`, "bool", value]);
  return [
    ["general.architecture", "string", "qwen2"],
    ["general.name", "string", `random weights in the shape of a ${shape} coder`],
    ["qwen2.block_count", "u32", layers],
    ["qwen2.context_length", "u32", context],
    ["qwen2.embedding_length", "u32", width],
    ["qwen2.feed_forward_length", "u32", feedForward],
    ["qwen2.attention.head_count", "u32", heads],
    ["qwen2.attention.head_count_kv", "u32", kvHeads],
    ["qwen2.attention.layer_norm_rms_epsilon", "f32", 1e-6],
    ["qwen2.rope.freq_base", "f32", 1e6],
    ["tokenizer.ggml.model", "string", ggml.model],
    ["tokenizer.ggml.tokens", "string[]", filled(ggml.tokens, (i) => `<unused${i}>`)],
    ["tokenizer.ggml.scores", "f32[]", filled(ggml.scores, () => -1e9)],
    ["tokenizer.ggml.token_type", "i32[]", filled(ggml.token_type, () => UNUSED_TOKEN)],
    ...ids,
    ...flags,
  ];
}

function headerOf(metadata, tensors) {
  const parts = [Buffer.from("GGUF"), u32(VERSION), u64(tensors.length), u64(metadata.length)];
  for (const [key, kind, value] of metadata) parts.push(text(key), encoded(kind, value));
  let offset = 0;
  for (const { name, shape, kind } of tensors) {
    parts.push(text(name), u32(shape.length), ...shape.map(u64), u32(kind), u64(offset));
    offset += aligned(bytesOf({ shape, kind }));
  }
  const header = Buffer.concat(parts);
  return Buffer.concat([header, Buffer.alloc(aligned(header.length) - header.length)]);
}

function encoded(kind, value) {
  const item = kind.replace("[]", "");
  if (item === kind) return Buffer.concat([u32(KIND[kind]), bytes(item, value)]);
  const items = value.map((each) => bytes(item, each));
  return Buffer.concat([u32(KIND.array), u32(KIND[item]), u64(value.length), ...items]);
}

function bytes(kind, value) {
  if (kind === "string") return text(value);
  if (kind === "bool") return Buffer.from([value ? 1 : 0]);
  const buffer = Buffer.alloc(4);
  if (kind === "f32") buffer.writeFloatLE(value);
  else if (kind === "i32") buffer.writeInt32LE(value);
  else buffer.writeUInt32LE(value);
  return buffer;
}

const u32 = (value) => bytes("u32", value);
const aligned = (length) => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

function u64(value) {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return buffer;
}

function text(value) {
  const encodedText = Buffer.from(value);
  return Buffer.concat([u64(encodedText.length), encodedText]);
}

function bytesOf({ shape, kind }) {
  const weights = shape.reduce((product, length) => product * length, 1);
  return kind === F32 ? 4 * weights : (weights / BLOCK) * BLOCK_BYTES;
}

/** Every row of blocks is a whole number of alignments long but for the biases, so that a tensor is written in parts. */
function writeTensor(file, tensor, random) {
  const length = bytesOf(tensor);
  if (tensor.kind === F32) {
    const buffer = Buffer.alloc(aligned(length));
    for (let at = 0; at < length; at += 4) buffer.writeFloatLE(tensor.value, at);
    writeSync(file, buffer);
    return;
  }
  const part = 1 << 16;
  for (let left = length / BLOCK_BYTES; left > 0; left -= part)
    writeSync(file, randomBlocks(Math.min(left, part), random));
  writeSync(file, Buffer.alloc(aligned(length) - length));
}

function randomBlocks(count, random) {
  const buffer = Buffer.alloc(count * BLOCK_BYTES);
  for (let block = 0; block < count; block++) {
    let at = block * BLOCK_BYTES;
    buffer[at++] = SCALE[0];
    buffer[at++] = SCALE[1];
    for (let word = 0; word < BLOCK / 4; word++) {
      let four = random();
      for (let i = 0; i < 4; i++) {
        // The format's writers never give -128.
        buffer[at++] = (four & 0xff) === 0x80 ? 0x81 : four & 0xff;
        four >>>= 8;
      }
    }
  }
  return buffer;
}

/** Marsaglia's xorshift of 32 bits (2003). */
function randomBytes(seed) {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [shape = "", path = ""] = process.argv.slice(2);
  if (path === "") throw new Error(`Expected a shape (${Object.keys(SHAPES).join(", ")}) and a file to write.`);
  await writeShapedModel(shape, path);
}
