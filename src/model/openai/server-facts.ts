import { z } from "zod";

export type ServerKind = "llama.cpp" | "vllm" | "other";

/** What a server says of itself, unasked-for things left out. */
export interface ServerFacts {
  readonly kind: ServerKind;
  /** Goes into the identity and `run.json`. */
  readonly report: Readonly<Record<string, string | number | null>>;
  /** Models it lists. */
  readonly models: readonly string[];
  /** vLLM: the ids of the tokens that are a letter or a space and a letter. */
  readonly symbolTokenIds: readonly number[];
}

/** Reads JSON from a path under the server's root (GET, or POST with a body); `null` when there is none. */
export type ReadJson = (path: string, body?: Readonly<Record<string, unknown>>) => Promise<unknown>;

const modelList = z.looseObject({ data: z.array(z.looseObject({ id: z.string(), owned_by: z.string().nullish() })) });
const llamaProps = z.looseObject({
  build_info: z.string().nullish(),
  model_path: z.string().nullish(),
  default_generation_settings: z.looseObject({ n_ctx: z.number().nullish() }),
});
const vllmVersion = z.looseObject({ version: z.string() });
const tokenIds = z.looseObject({ tokens: z.array(z.number().int()) });

/** Finds out what kind of server this is, from what it tells on its own pages. */
export async function learnServer(read: ReadJson, model: string): Promise<ServerFacts> {
  const listed = modelList.safeParse(await read("/v1/models")).data?.data ?? [];
  const models = listed.map(({ id }) => id);
  const owner = listed[0]?.owned_by ?? null;
  const props = llamaProps.safeParse(await read("/props")).data;
  if (props !== undefined) {
    const file = props.model_path?.split(/[\\/]/).at(-1) ?? null;
    const report = {
      kind: "llama.cpp",
      build: props.build_info ?? null,
      file,
      context_size: props.default_generation_settings.n_ctx ?? null,
    };
    return { kind: "llama.cpp", report, models, symbolTokenIds: [] };
  }
  const version = vllmVersion.safeParse(await read("/version")).data?.version;
  if (owner === "vllm" && version !== undefined) {
    const report = { kind: "vllm", version };
    return { kind: "vllm", report, models, symbolTokenIds: await vllmSymbolTokens(read, model) };
  }
  return { kind: "other", report: { kind: "other", owner }, models, symbolTokenIds: [] };
}

/** Single tokens for `A`, ` A`, …; a spelling that takes several tokens is none. */
async function vllmSymbolTokens(read: ReadJson, model: string): Promise<number[]> {
  const ids: number[] = [];
  for (const prompt of ["A", "B", "C", "D"].flatMap((letter) => [letter, ` ${letter}`])) {
    const reply = tokenIds.safeParse(await read("/tokenize", { model, prompt, add_special_tokens: false }));
    const [id, ...more] = reply.data?.tokens ?? [];
    if (id !== undefined && more.length === 0) ids.push(id);
  }
  return [...new Set(ids)];
}
