import type {
  EarlierVerdict,
  ReviewState,
  ShownExample,
  ShownOption,
  ShownQuestion,
  ShownQuestions,
  ShownRow,
} from "../review-protocol.js";
import { coloured, dataText, element } from "./dom.js";

type QuestionReasons = ReviewState["questionReasons"];

/** One example: where it comes from, comment, revision, questions. */
export function exampleView(shown: ShownExample, reasons: QuestionReasons): Node[] {
  return [
    facts(shown),
    ...shown.earlier.map(earlierView),
    section("Review comment", element("blockquote", "comment", dataText(shown.review))),
    section("Hunk and revision", ...revision(shown.rows)),
    ...questionsView(shown.questions, reasons),
  ];
}

function section(title: string, ...content: Node[]): HTMLElement {
  return element("section", "", element("h2", "", title), ...content);
}

function facts({ id, language, repo, source, license }: ShownExample): HTMLElement {
  const list = element("dl", "facts");
  const pairs = [
    ["language", language],
    ["repository", repo],
    ["id", id],
    ["source", source],
    ["licence", license],
  ] as const;
  for (const [name, value] of pairs) {
    if (value === null || value === "") continue;
    list.append(element("div", "", element("dt", "", name), element("dd", "", dataText(value))));
  }
  return list;
}

function earlierView({ annotator, decision, reason, note, questions }: EarlierVerdict): HTMLElement {
  const verdict = decision === "keep" ? "keep" : `drop: ${reason.replaceAll("_", " ")}`;
  const line = element("p", `earlier ${decision}`, element("strong", "", dataText(annotator)), ` decided ${verdict}`);
  if (note !== "") line.append(" — ", dataText(note));
  const dropped = questions.map(({ form, reason: why }) => `${form} (${why.replaceAll("_", " ")})`).join(", ");
  if (dropped !== "") line.append(` · dropped ${dropped}: asked again unless dropped below, too`);
  return line;
}

const SIGNS = { same: " ", deleted: "-", added: "+" } as const;
const SPOKEN = { same: "", deleted: "deleted", added: "added" } as const;

function revision(rows: readonly ShownRow[]): Node[] {
  const table = element("table", "diff");
  const head = element("thead", "unseen");
  const titles = ["line before", "line after", "change", "code"].map((title) => element("th", "", title));
  head.append(element("tr", "", ...titles));
  table.append(head, element("tbody", "", ...rows.map(diffLine)));
  if (rows.some(({ kind }) => kind !== "same")) return [table];
  return [element("p", "notice", "Nothing changed: both versions are the same."), table];
}

function diffLine({ kind, before, after, text, emphasis, colours }: ShownRow): HTMLElement {
  const sign = element("td", "sign", SIGNS[kind]);
  if (kind !== "same") sign.setAttribute("aria-label", SPOKEN[kind]);
  return element(
    "tr",
    kind,
    element("td", "number", before === null ? "" : String(before)),
    element("td", "number", after === null ? "" : String(after)),
    sign,
    element("td", "code", element("code", "", ...coloured(text, colours, emphasis))),
  );
}

function questionsView(questions: ShownQuestions, reasons: QuestionReasons): Node[] {
  switch (questions.status) {
    case "none":
      return [];
    case "invalid": {
      const problems = questions.problems.map((problem) => element("li", "", dataText(problem)));
      const words = "The record has options, but its questions cannot be asked:";
      return [section("Questions", element("p", "notice", words), element("ul", "problems", ...problems))];
    }
    case "ready":
      return [
        section(
          "Questions",
          ...questions.questions.map((question) => questionView(question, reasons)),
          ...notBuiltView(questions.notBuilt),
        ),
      ];
  }
}

function notBuiltView(notBuilt: Readonly<Record<string, string>>): HTMLElement[] {
  return Object.entries(notBuilt).map(([task, reason]) =>
    element("p", "origin", element("abbr", "", task), " not built: ", dataText(reason)),
  );
}

function questionView(question: ShownQuestion, reasons: QuestionReasons): HTMLElement {
  const { task, title, difficulty, origin, options } = question;
  const name = difficulty === null ? title : `${title}, ${difficulty}`;
  const list = element("ul", "options", ...options.map((option, i) => optionView(option, i === 0)));
  const heading = element("h3", "", element("abbr", "", task), ` ${name}`);
  const made = origin === null ? [] : [element("p", "origin", dataText(origin))];
  return element("div", "question", heading, ...made, list, dropButtons(question, reasons));
}

/** Pressed once a reason drops this question alone, pressed again it takes that back. */
function dropButtons({ form }: ShownQuestion, reasons: QuestionReasons): HTMLElement {
  const buttons = reasons.map(({ reason, label, explanation }) => {
    const button = element("button", "", label);
    button.dataset["question"] = form;
    button.dataset["reason"] = reason;
    button.title = explanation;
    return button;
  });
  const group = element("p", "drop-question", "Drop this question alone: ", ...buttons);
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", `drop ${form} alone`);
  return group;
}

function optionView({ text, detail, emphasis }: ShownOption, isRight: boolean): HTMLElement {
  const badge = element("span", "badge", isRight ? "right" : "distractor");
  const made = detail === null ? [] : [element("small", "", dataText(detail))];
  return element("li", isRight ? "right" : "wrong", badge, element("code", "", dataText(text, emphasis)), ...made);
}
