/** The nine languages of the benchmark, by the name the official records use. */
export const LANGUAGES = ["c", "cpp", "csharp", "go", "java", "javascript", "php", "python", "ruby"] as const;

/** A programming language of the data, as records name it. */
export type Language = (typeof LANGUAGES)[number];

const PROMPT_NAMES: Readonly<Record<Language, string>> = {
  c: "C",
  cpp: "CPP",
  csharp: "CSharp",
  go: "Go",
  java: "Java",
  javascript: "JavaScript",
  php: "PHP",
  python: "Python",
  ruby: "Ruby",
};

const NAMES: Readonly<Record<Language, string>> = { ...PROMPT_NAMES, cpp: "C++", csharp: "C#" };

const ALIASES: Readonly<Record<string, Language>> = {
  "c++": "cpp",
  cc: "cpp",
  cxx: "cpp",
  "c#": "csharp",
  cs: "csharp",
  golang: "go",
  js: "javascript",
  py: "python",
  rb: "ruby",
};

/** The name of a language in the prompts of the paper (Figure 2). */
export function promptName(language: Language): string {
  return PROMPT_NAMES[language];
}

/** The name of a language wherever people read it; files have the one of the records. */
export function languageName(language: Language): string {
  return NAMES[language];
}

/** The name of a language wherever people read it; any other text as it is. */
export function groupName(group: string): string {
  const language = LANGUAGES.find((each) => each === group);
  return language === undefined ? group : languageName(language);
}

/** The language of a name or alias (`py`, `.cs`, `C++`, …), or `undefined`. */
export function parseLanguage(name: string): Language | undefined {
  const plain = name.trim().toLowerCase().replace(/^\./, "");
  return (
    LANGUAGES.find((language) => language === plain) ?? (Object.hasOwn(ALIASES, plain) ? ALIASES[plain] : undefined)
  );
}
