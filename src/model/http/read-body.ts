import type { Dispatcher } from "undici";

type Body = Dispatcher.ResponseData["body"];

/**
 * The longest body that is taken from a network, bytes. The largest that a server means well is the log probabilities of
 * a whole prompt, at up to 250 bytes a token: of 50,000 tokens. Text, and what is parsed of it, take some times its bytes
 * until they are collected.
 */
export const MAX_BODY_BYTES = 12 * 1024 * 1024;

/** Bodies up to this size, bytes, are read beside each other; larger ones one at a time. */
const SMALL_BYTES = 256 * 1024;

/** The memory is the process's, and so are the turn and the room that large bodies are read into, made for the first. */
let turn: Promise<unknown> = Promise.resolve();
let room: Buffer | null = null;

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = turn.then(work);
  turn = result.catch(() => undefined);
  return result;
}

/**
 * Reads a body whole. However many large ones come at once, they take the memory of one.
 * @param isSmall whether it is announced as one
 * @param use what is made of its bytes, at once: they are overwritten by the next
 * @throws what undici throws where it is cut short, over `MAX_BODY_BYTES`, or aborted; what `use` throws
 */
export async function readBody<T>(body: Body, isSmall: boolean, use: (bytes: Buffer) => T): Promise<T> {
  if (isSmall) return use(Buffer.from(await body.arrayBuffer()));
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const iterator: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  while (bytes <= SMALL_BYTES) {
    const next = await iterator.next();
    if (next.done === true) return use(Buffer.concat(chunks));
    chunks.push(next.value);
    bytes += next.value.length;
  }
  return inTurn(async () => {
    room ??= Buffer.allocUnsafe(MAX_BODY_BYTES);
    let end = 0;
    for (const chunk of chunks) end = put(room, chunk, end);
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      end = put(room, next.value, end);
    }
    return use(room.subarray(0, end));
  });
}

function put(into: Buffer, chunk: Uint8Array, at: number): number {
  into.set(chunk, at);
  return at + chunk.length;
}

/** Whether a reply's headers announce a body that is small. */
export function announcesSmall(headers: readonly (readonly [name: string, value: string])[]): boolean {
  const length = headers.find(([name]) => name === "content-length")?.[1];
  return length !== undefined && Number(length) <= SMALL_BYTES;
}
