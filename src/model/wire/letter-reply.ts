import { z } from "zod";
import type { ChoiceSymbol } from "../../base/symbol.js";
import { jsonValue, visibleLine } from "../../base/text.js";
import { errorOfContent, RequestError } from "../http/request-error.js";
import type { FailedReply, Thoughts } from "../requests.js";
import {
  chatMessage,
  generatedTokens,
  requireAnswered,
  thoughtsApart,
  usage,
  withoutThoughts,
  writtenChoice,
} from "./completion-reply.js";
import type { LetterForm, WireReply } from "./ways.js";

/** Letter that a model wrote in the end, or why there is none, and what it took to write it. */
export type WrittenLetter = (
  | { readonly status: "named"; readonly symbol: ChoiceSymbol; readonly extraction: "generated" }
  | FailedReply
) & {
  /** Absent: the one token of the letter. */
  readonly completionTokens?: number | null;
  /** Absent where there were none. */
  readonly thoughts?: Thoughts;
};

const replySchema = z.looseObject({
  choices: z
    .array(
      writtenChoice.omit({ stop_reason: true }).extend({
        message: chatMessage
          .extend({
            tool_calls: z
              .array(z.looseObject({ function: z.looseObject({ arguments: z.unknown().optional() }) }))
              .nullish(),
          })
          .nullish(),
      }),
    )
    .min(1),
  usage,
});

/** TGI's `/generate`, which is asked for one token, read as a completion. */
const tgiReply = z
  .looseObject({ generated_text: z.string() })
  .transform(({ generated_text: text }) => ({ choices: [{ text, message: null, finish_reason: null }], usage: null }));
const letterReply = z.union([replySchema, tgiReply]);

interface WantedLetter {
  readonly form: LetterForm;
  readonly symbols: readonly ChoiceSymbol[];
  /** `false`: one token was asked for, in which nobody thinks. */
  readonly isRoomy: boolean;
}

/**
 * The letter of a reply: of its final text alone, never of its thoughts, however they are told. A reply that ended in its
 * thoughts has none.
 * @throws RequestError `refused`, or `bad_response` where it wrote something else
 */
export function readLetter(reply: WireReply, { form, symbols, isRoomy }: WantedLetter): WrittenLetter {
  const { text, content, calls, thoughts, completionTokens, isCut } = readFinal(reply);
  const isMore = isRoomy || (completionTokens ?? 1) > 1;
  const spent = { ...(isMore && { completionTokens }), ...(thoughts && { thoughts }) };
  const written = form === "call" ? calls : [text];
  const said = new Set(written.map((each) => letterIn(each, form)));
  // Calls that differ say none.
  const symbol = said.size === 1 ? symbols.find((each) => said.has(each)) : undefined;
  const isUnfinished = isCut && (isRoomy || text === "");
  // A letter at the limit may be the first word of a sentence; an object, or a call, is whole.
  if (symbol !== undefined && !(isUnfinished && form === "letter"))
    return { status: "named", symbol, extraction: "generated", ...spent };
  if (isUnfinished) {
    const took = completionTokens === null ? "" : `, after ${completionTokens} tokens`;
    const detail = `the reply ended before a letter${took}: allow more (--think TOKENS)`;
    return { status: "failed", failure: "thought_too_long", detail, ...spent };
  }
  const found = written.map((each) => JSON.stringify(each === "" ? content : each));
  throw notALetter(symbols, found.join(", ") || "no call");
}

/** The end of a reply, apart from its thoughts. */
interface FinalText {
  readonly text: string;
  /** With thoughts that stand in it. */
  readonly content: string;
  /** Arguments of its calls. */
  readonly calls: readonly unknown[];
  readonly thoughts: Thoughts | null;
  readonly completionTokens: number | null;
  /** `true` where the limit, or the thoughts, ended it. */
  readonly isCut: boolean;
}

function readFinal({ json, text }: WireReply): FinalText {
  const { data } = letterReply.safeParse(json);
  const first = data?.choices[0];
  if (data === undefined || first === undefined) throw errorOfContent("without an answer", text);
  const { message, finish_reason: reason } = first;
  requireAnswered(first, text);
  const content = first.text ?? message?.content ?? "";
  const final = withoutThoughts(content, thoughtsApart(message));
  return {
    text: final.text,
    content,
    calls: message?.tool_calls?.map((each) => each.function.arguments) ?? [],
    thoughts: thoughtsOf(
      final.thoughts,
      data.usage?.completion_tokens_details?.reasoning_tokens ?? null,
      final.isOpen || (reason === "length" && final.text === ""),
    ),
    completionTokens: generatedTokens(data.usage),
    isCut: reason === "length" || final.isOpen,
  };
}

/** A letter that is not one will be none the next time. */
function notALetter(symbols: readonly ChoiceSymbol[], found: string): RequestError {
  const message = `HTTP 200, but the answer is not one of ${symbols.join(", ")}: ${visibleLine(found.slice(0, 100))}`;
  return new RequestError({ trouble: "permanent", failure: "bad_response", status: 200, message });
}

function thoughtsOf(text: string, tokens: number | null, isOpen: boolean): Thoughts | null {
  if (text === "" && (tokens ?? 0) === 0) return null;
  return { text: text === "" ? null : text, tokens, end: text === "" || isOpen ? "hidden" : "closed" };
}

const answer = z.looseObject({ answer: z.string() });

function letterIn(written: unknown, form: LetterForm): string | null {
  if (form === "letter") return typeof written === "string" ? written.trim() : null;
  // Some servers hand arguments over as an object.
  const value = typeof written === "string" ? jsonValue(written) : written;
  return answer.safeParse(value).data?.answer ?? null;
}
