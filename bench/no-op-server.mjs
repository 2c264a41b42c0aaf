// node bench/no-op-server.mjs [PORT [DELAY_MS]]: an OpenAI-compatible server whose model costs next to nothing, for timing
// clients; each reply takes DELAY_MS (0), however many are under way.
// It prints its URL (with /v1) as the first line of stdout and ends with its parent when started with an IPC channel.

import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const MODEL = "no-op";
const DELAY_MS = Number(process.argv[3] ?? 0);
const LETTERS = ["A", "B", "C", "D"];
// After the letters (" A" as a completion, "A" as a chat) come tokens as a real model would offer them.
const OTHERS = [" The", "\n", " None", " I"];
const COMPLETION_TOKENS = [...LETTERS.map((letter) => ` ${letter}`), ...OTHERS];
const CHAT_TOKENS = [...LETTERS, ...OTHERS];
const CHAT_PREFIXES = CHAT_TOKENS.map(
  (token) => `{"token":${JSON.stringify(token)},"bytes":${JSON.stringify([...Buffer.from(token)])},"logprob":`,
);
// Normalised over the eight tokens: the highest, then seven steps down.
const WEIGHTS = [0, 0.9, 1.7, 2.4, 3.3, 4.1, 4.8, 5.6].map((drop) => -drop);
const LOG_TOTAL = Math.log(WEIGHTS.reduce((sum, weight) => sum + Math.exp(weight), 0));

/** FNV-1a over every character of the prompt, mixed once more. */
function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b);
  return (h ^ (h >>> 15)) >>> 0;
}

/** Reply of GET /answered once these prompts, in any order, have been asked as completions. */
export function expectedAnswers(prompts) {
  return { answered: prompts.length, digest: prompts.reduce((sum, prompt) => (sum + hash(prompt)) >>> 0, 0) };
}

/** The letter that the last "the letter X" of the prompt names, as an index, or null. */
function namedLetter(prompt) {
  for (let at = prompt.length; at > 0; ) {
    at = prompt.lastIndexOf("the letter ", at - 1);
    if (at < 0) break;
    const after = at + "the letter ".length;
    const letter = LETTERS.indexOf(prompt[after]);
    if (letter >= 0 && !/\w/.test(prompt[after + 1] ?? "")) return letter;
  }
  return null;
}

const asked = { answered: 0, digest: 0 };

/** The tokens' log probabilities: letters rotated by the hash, the one the prompt names first; the rest below them. */
function scoresOf(prompt) {
  const h = hash(prompt);
  asked.answered++;
  asked.digest = (asked.digest + h) >>> 0;
  const first = namedLetter(prompt) ?? h & 3;
  const reversed = (h & 4) !== 0;
  // The sharpness moves with the hash too, so that two prompts agreeing on the order still differ in the numbers.
  const tilt = ((h >>> 3) & 0xffff) / 0x10000 / 100;
  const logprobs = new Array(8);
  for (let i = 0; i < 4; i++) {
    const rank = (i - first + 4) & 3;
    logprobs[i] = WEIGHTS[rank > 0 && reversed ? 4 - rank : rank] - LOG_TOTAL - tilt;
    logprobs[i + 4] = WEIGHTS[4 + ((i + (h >>> 20)) & 3)] - LOG_TOTAL - tilt;
  }
  return { best: first, logprobs };
}

const count = (text) => Math.ceil(text.length / 4);
const usage = (promptTokens) =>
  `"usage":{"prompt_tokens":${promptTokens},"completion_tokens":1,"total_tokens":${promptTokens + 1}}`;
const base = (kind, object) => `{"id":"${kind}-0","object":"${object}","created":1,"model":"${MODEL}",`;

/** `top` as the request asks for it: the best `top` tokens, in order; `top` 0 is the chosen token alone. */
function ranked(logprobs, top) {
  const order = [0, 1, 2, 3, 4, 5, 6, 7].sort((a, b) => logprobs[b] - logprobs[a]);
  return top < order.length ? order.slice(0, top) : order;
}

function completionChoice(prompt, index, top) {
  const { best, logprobs } = scoresOf(prompt);
  const text = JSON.stringify(COMPLETION_TOKENS[best]);
  if (top === null) return `{"index":${index},"text":${text},"finish_reason":"length","logprobs":null}`;
  const pairs = ranked(logprobs, top).map((i) => `${JSON.stringify(COMPLETION_TOKENS[i])}:${logprobs[i]}`);
  return (
    `{"index":${index},"text":${text},"finish_reason":"length","logprobs":{"tokens":[${text}],` +
    `"token_logprobs":[${logprobs[best]}],"top_logprobs":[{${pairs.join(",")}}],"text_offset":[${prompt.length}]}}`
  );
}

function completion(body) {
  const prompts = Array.isArray(body.prompt) && typeof body.prompt[0] !== "number" ? body.prompt : [body.prompt];
  const texts = prompts.map((prompt) => (Array.isArray(prompt) ? prompt.join(" ") : String(prompt ?? "")));
  const top = typeof body.logprobs === "number" ? body.logprobs : null;
  const choices = texts.map((text, index) => completionChoice(text, index, top));
  const tokens = texts.reduce((sum, text) => sum + count(text), 0);
  return `${base("cmpl", "text_completion")}"choices":[${choices.join(",")}],${usage(tokens)}}`;
}

function contentText(content) {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part) => part?.text ?? "").join("") : "";
}

function chat(body) {
  const messages = Array.isArray(body.messages) ? body.messages : [];
  const prompt = messages.map((message) => `${message.role}\n${contentText(message.content)}`).join("\n");
  const { best, logprobs } = scoresOf(prompt);
  let shown = "null";
  if (body.logprobs === true) {
    const top = ranked(logprobs, body.top_logprobs ?? 0).map((i) => `${CHAT_PREFIXES[i]}${logprobs[i]}}`);
    shown = `{"content":[${CHAT_PREFIXES[best]}${logprobs[best]},"top_logprobs":[${top.join(",")}]}],"refusal":null}`;
  }
  return (
    `${base("chatcmpl", "chat.completion")}"choices":[{"index":0,"message":{"role":"assistant","content":` +
    `${JSON.stringify(CHAT_TOKENS[best])},"refusal":null},"finish_reason":"length","logprobs":${shown}}],` +
    `${usage(count(prompt))}}`
  );
}

const MODELS = `{"object":"list","data":[{"id":"${MODEL}","object":"model","created":1,"owned_by":"bench"}]}`;
const ENDPOINTS = { "/v1/completions": completion, "/v1/chat/completions": chat };

function send(response, status, text) {
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}

function fail(response, status, message) {
  send(
    response,
    status,
    JSON.stringify({ error: { message, type: "invalid_request_error", param: null, code: null } }),
  );
}

function answer(endpoint, text, response) {
  let reply;
  try {
    reply = endpoint(JSON.parse(text));
  } catch (error) {
    return fail(response, 400, `Expected a JSON request, found ${error.message}`);
  }
  send(response, 200, reply);
}

/** An http.Server, not listening yet. GET /answered counts the prompts replied to so far and sums their hashes. */
function noOpServer() {
  const server = createServer(
    { keepAlive: true, keepAliveTimeout: 120_000, requestTimeout: 0 },
    (request, response) => {
      const path = request.url.split("?", 1)[0];
      if (request.method === "GET") {
        if (path === "/v1/models") return send(response, 200, MODELS);
        if (path === "/answered") return send(response, 200, JSON.stringify(asked));
      }
      const endpoint = request.method === "POST" ? ENDPOINTS[path] : undefined;
      if (endpoint === undefined)
        return fail(response, 404, `Expected a known endpoint, found ${request.method} ${path}`);
      const chunks = [];
      request.on("data", (chunk) => chunks.push(chunk));
      request.on("end", () => {
        const reply = () =>
          answer(endpoint, (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString("utf8"), response);
        if (DELAY_MS > 0) setTimeout(reply, DELAY_MS);
        else reply();
      });
    },
  );
  server.headersTimeout = 0;
  server.maxRequestsPerSocket = 0;
  return server;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const server = noOpServer();
  server.listen({ host: "127.0.0.1", port: Number(process.argv[2] ?? 0), backlog: 4096 }, () => {
    console.log(`http://127.0.0.1:${server.address().port}/v1`);
  });
  process.on("disconnect", () => process.exit(0));
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
}
