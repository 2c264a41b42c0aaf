import type { Language, OwnProbe } from "code-review-probe";

/** Names of the languages in the options. */
const NAMES: Readonly<Record<Language, string>> = {
  c: "C",
  cpp: "C++",
  csharp: "C#",
  go: "Go",
  java: "Java",
  javascript: "JavaScript",
  php: "PHP",
  python: "Python",
  ruby: "Ruby",
};

const LANGUAGES = Object.keys(NAMES) as Language[];

/** Language of the code under review: whoever cannot tell it has no business with the review. */
export const probe: OwnProbe = {
  task: "LANGUAGE",
  title: "language recognition",
  template: "./language.txt",
  optionCount: 5,
  // The right one first, then the four that follow it in the list: every language is as often right as wrong.
  options: ({ language }) => {
    const place = LANGUAGES.indexOf(language);
    return [0, 1, 2, 3, 4].map((step) => {
      const name = LANGUAGES[(place + step) % LANGUAGES.length] ?? language;
      return NAMES[name];
    });
  },
  answerClass: () => null,
};
