import { z } from "zod";
import type { WireReply } from "./ways.js";

const text = z.looseObject({ text: z.string().nullish() });
const part = z.looseObject({ type: z.string(), text: z.string().nullish(), thinking: z.array(text).nullish() });
const inParts = z.looseObject({ message: z.looseObject({ content: z.array(part) }) });
const replySchema = z.looseObject({ choices: z.array(z.unknown()).min(1) });

/**
 * A chat completion whose message comes in parts, as of Mistral's models that think: its text in one piece, its thoughts in
 * `reasoning_content`. Any other reply is left as it is.
 */
export function joinedParts(reply: WireReply): WireReply {
  const { data } = replySchema.safeParse(reply.json);
  if (data === undefined || !data.choices.some((choice) => inParts.safeParse(choice).success)) return reply;
  return { ...reply, json: { ...data, choices: data.choices.map(joined) } };
}

function joined(choice: unknown): unknown {
  const { data } = inParts.safeParse(choice);
  if (data === undefined) return choice;
  const { content, ...message } = data.message;
  const textOf = (parts: readonly z.infer<typeof text>[]) => parts.map((each) => each.text ?? "").join("");
  return {
    ...data,
    message: {
      ...message,
      content: textOf(content.filter(({ type }) => type === "text")),
      reasoning_content: textOf(content.flatMap(({ thinking }) => thinking ?? [])),
    },
  };
}
