import { hash32 } from "../../../base/random.js";
import { type OptionIndex, symbolsFor, USUAL_OPTIONS } from "../../../base/symbol.js";
import { type Order, orderName, permutationsOf } from "../../../question/permutations.js";

/** A question under one order of its options, as a made-up model is asked it. */
interface MadeUpQuestion {
  readonly exampleId: string;
  readonly order: Order;
  /** True where the review is withheld. */
  readonly isWithheld: boolean;
}

/** A model that nobody asked: the option that it chooses follows from a hash of the question. */
interface MadeUpModel {
  readonly name: string;
  /** Its manner, in a newcomer's words. */
  readonly manner: string;
  choose(question: MadeUpQuestion): OptionIndex | undefined;
}

/** Shares of questions that a made-up model knows: far from the bounds of every verdict. */
const KNOWN = { words: 0.7, steady: 0.85, unsteady: 0.75 };

/** Made-up models, each of another kind; which verdict their answers come to is computed like that of any other. */
export const MADE_UP_MODELS: readonly MadeUpModel[] = [
  {
    name: "made-up-letters",
    manner: "says A, whatever stands there",
    choose: ({ order }) => order[0],
  },
  {
    name: "made-up-words",
    manner: "finds most places from the code alone, and the same ones when the review is not shown",
    choose: ({ exampleId }) => knownOption(`${exampleId} words`, KNOWN.words),
  },
  {
    name: "made-up-nerves",
    manner: "understands, and is wrong under some orders of the same options",
    choose: ({ exampleId, order, isWithheld }) =>
      knownOption(`${exampleId} nerves ${orderName(order)}`, isWithheld ? 0 : KNOWN.unsteady),
  },
  {
    name: "made-up-reader",
    manner: "understands most reviews, however the options are shuffled, and guesses without them",
    choose: ({ exampleId, isWithheld }) => knownOption(`${exampleId} reader`, isWithheld ? 0 : KNOWN.steady),
  },
];

/** The right option for a share of the texts, else one of all. */
function knownOption(text: string, share: number): OptionIndex {
  const isKnown = hash32(text, 1) / 2 ** 32 < share;
  return (isKnown ? 0 : hash32(text, 2) % USUAL_OPTIONS) as OptionIndex;
}

/** Log probabilities of the letter that is chosen, and of each other one: 0.91 and 0.03. */
const LOGPROBS = { chosen: Math.log(0.91), other: Math.log(0.03) };

/** Lines of an answer file (`--model scripted:FILE`) about hard location questions, with and without the review. */
export function madeUpAnswers(model: MadeUpModel, exampleIds: readonly string[]): string {
  const symbols = symbolsFor(USUAL_OPTIONS);
  const lines = exampleIds.flatMap((exampleId) =>
    permutationsOf(USUAL_OPTIONS).flatMap((order) =>
      [false, true].map((isWithheld) => {
        const chosen = model.choose({ exampleId, order, isWithheld });
        const logprobs = symbols.map((symbol, i) => [symbol, order[i] === chosen ? LOGPROBS.chosen : LOGPROBS.other]);
        return JSON.stringify({
          task: "CL",
          difficulty: "hard",
          ...(isWithheld && { ablation: "review" }),
          example_id: exampleId,
          permutation: orderName(order),
          logprobs: Object.fromEntries(logprobs),
        });
      }),
    ),
  );
  return `${lines.join("\n")}\n`;
}
