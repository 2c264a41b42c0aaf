// Whether an answer is the letter of the right option.
import { asked, letterOf, rightLetter } from "./orders.mjs";

export function letter(output, { vars }) {
  const question = asked(vars);
  const [found, right] = [letterOf(String(output), question), rightLetter(question)];
  return {
    pass: found === right,
    score: Number(found === right),
    reason: `answered ${found ?? "no letter"}, right: ${right}`,
  };
}
