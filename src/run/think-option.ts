import { eachText, type Option, usage } from "../console/option.js";
import { EFFORTS, recordedThink, type Think } from "../model/requests.js";

/**
 * `--think` and its like: thoughts that a model is asked for; `null`: nothing is said of them, which a run does not keep.
 * @param when they are thought
 * @param unsaid what a model does without it
 */
export function thinkOption(
  when: string,
  rest: Pick<Option<Think | null>, "parameter" | "group" | "inConfig">,
  unsaid = "as the model does",
): Option<Think | null> {
  return {
    kind: "value",
    describe: `off, low, medium, high or the most TOKENS: thoughts ${when} (default: ${unsaid})`,
    ...rest,
    values: () => ["off", ...EFFORTS],
    record: (think) => (think === null ? undefined : recordedThink(think)),
    parse(given, flag) {
      const [text] = eachText(given);
      if (text === undefined) return null;
      const word = (["off", ...EFFORTS] as const).find((each) => each === text.toLowerCase());
      if (word !== undefined) return word;
      if (!/^[1-9]\d{0,6}$/.test(text))
        throw usage(flag, `off, ${EFFORTS.join(", ")} or a number of tokens from 1`, `"${text.slice(0, 60)}"`);
      return { tokens: Number(text) };
    },
  };
}
