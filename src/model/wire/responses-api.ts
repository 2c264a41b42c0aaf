import { z } from "zod";
import { toldCount } from "./completion-reply.js";
import type { Fields, WireReply, WireRequest } from "./ways.js";

const call = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) });
const message = z.looseObject({
  role: z.string(),
  content: z.string().nullish(),
  tool_calls: z.array(call).nullish(),
  tool_call_id: z.string().nullish(),
  reasoning_items: z.array(z.looseObject({})).nullish(),
});
const chatBody = z.looseObject({
  messages: z.array(message),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  response_format: z.looseObject({ type: z.string(), json_schema: z.looseObject({}).optional() }).optional(),
  tools: z.array(z.looseObject({ function: z.looseObject({}) })).optional(),
  tool_choice: z.union([z.string(), z.looseObject({ function: z.looseObject({}) })]).optional(),
  reasoning_effort: z.string().optional(),
});

/** Name of the API in the names of ways. */
export const RESPONSES = "Responses API";

/** Field of a message with its sealed thoughts, which are not kept there (`store: false`) and so are handed back. */
export const REASONING_ITEMS = "reasoning_items";
/** Parameter by which they are told. */
export const SEALED_THOUGHTS = { include: ["reasoning.encrypted_content"] } as const;

/** Parameters of chat completions that the Responses API does not have. */
const NOT_THERE = ["seed", "stop"];

/** A request for a chat completion as one of OpenAI's Responses API, which some models have alone. */
export function responsesRequest({ body }: WireRequest): WireRequest {
  const {
    messages,
    max_tokens,
    max_completion_tokens,
    response_format,
    tools,
    tool_choice,
    reasoning_effort,
    ...rest
  } = chatBody.parse(body);
  const format = response_format && { type: response_format.type, ...response_format.json_schema };
  const choice = typeof tool_choice === "object" ? { type: "function", ...tool_choice.function } : tool_choice;
  return {
    path: "/responses",
    body: {
      ...Object.fromEntries(Object.entries(rest).filter(([name]) => !NOT_THERE.includes(name))),
      input: messages.flatMap(inputOf),
      max_output_tokens: max_completion_tokens ?? max_tokens,
      ...(format && { text: { format } }),
      ...(tools && { tools: tools.map((tool) => ({ type: "function", ...tool.function })) }),
      ...(choice !== undefined && { tool_choice: choice }),
      ...(reasoning_effort !== undefined && { reasoning: { effort: reasoning_effort } }),
      store: false,
    },
  };
}

function inputOf(said: z.infer<typeof message>): Fields[] {
  const { role, content, tool_calls: calls, tool_call_id: callId, reasoning_items: thoughts } = said;
  if (role === "tool") return [{ type: "function_call_output", call_id: callId, output: content ?? "" }];
  const items = [
    ...((content ?? "") === "" ? [] : [{ role, content }]),
    ...(calls ?? []).map(({ id, function: called }) => ({ type: "function_call", call_id: id, ...called })),
  ];
  // Thoughts that nothing follows, as of a reply that ended in them, are refused.
  return items.length === 0 ? [] : [...(thoughts ?? []), ...items];
}

const responseSchema = z.looseObject({
  id: z.string().nullish(),
  status: z.string().nullish(),
  incomplete_details: z.looseObject({ reason: z.string().nullish() }).nullish(),
  output: z.array(
    z.looseObject({
      type: z.string(),
      phase: z.string().nullish(),
      content: z.array(z.looseObject({ text: z.string().nullish(), refusal: z.string().nullish() })).nullish(),
      summary: z.array(z.looseObject({ text: z.string().nullish() })).nullish(),
      call_id: z.string().nullish(),
      name: z.string().nullish(),
      encrypted_content: z.string().nullish(),
      arguments: z.string().nullish(),
    }),
  ),
  usage: z
    .looseObject({
      input_tokens: toldCount,
      output_tokens: toldCount,
      input_tokens_details: z.looseObject({ cached_tokens: toldCount }).nullish(),
      output_tokens_details: z.looseObject({ reasoning_tokens: toldCount }).nullish(),
    })
    .nullish(),
});

/** A reply of the Responses API in the shape of a chat completion; one of another shape is left as it is. */
export function chatReplyOf(reply: WireReply): WireReply {
  const { data } = responseSchema.safeParse(reply.json);
  if (data === undefined) return reply;
  const { output, usage } = data;
  const messages = output.filter(({ type }) => type === "message");
  const final = messages.filter(({ phase }) => phase !== "commentary");
  // What some models say before their answer is no part of it.
  const said = (final.length > 0 ? final : messages).flatMap(({ content }) => content ?? []);
  const textOf = (parts: readonly { text?: string | null | undefined }[]) =>
    parts.map(({ text }) => text ?? "").join("");
  const calls = output
    .filter(({ type }) => type === "function_call")
    .map(({ call_id: id, name, arguments: given }) => ({ id, type: "function", function: { name, arguments: given } }));
  const refusal = said.find((part) => (part.refusal ?? "") !== "")?.refusal;
  return {
    text: reply.text,
    json: {
      id: data.id,
      choices: [
        {
          finish_reason: finishOf(data.status, data.incomplete_details?.reason, calls.length),
          message: {
            content: textOf(said),
            ...(refusal && { refusal }),
            reasoning_content: textOf(
              output.filter(({ type }) => type === "reasoning").flatMap(({ summary }) => summary ?? []),
            ),
            [REASONING_ITEMS]: output.filter(({ encrypted_content: sealed }) => sealed != null),
            ...(calls.length > 0 && { tool_calls: calls }),
          },
        },
      ],
      usage: usage && {
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        prompt_tokens_details: usage.input_tokens_details,
        completion_tokens_details: usage.output_tokens_details,
      },
    },
  };
}

function finishOf(status: string | null | undefined, reason: string | null | undefined, calls: number): string {
  if (status === "incomplete") return reason === "content_filter" ? "content_filter" : "length";
  if (status != null && status !== "completed") return "error";
  return calls > 0 ? "tool_calls" : "stop";
}
