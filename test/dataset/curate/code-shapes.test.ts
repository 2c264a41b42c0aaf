import { describe, expect, it } from "vitest";
import { looksLikeCode } from "../../../src/dataset/curate/review-measures.js";

const CODE = [
  ...["log_probs", "MAX_SIZE", "__hash__", "_private", "file_1,", "(typed_ast)", "'email_preferences'?"],
  ...["getCode", "AsyncItemPaged", "IOException", "HTTPServer", "utf8Decode", '"userName"'],
  ...["reshape()", "reshape().", "alb.get(key,", "(empty($error))", "uint32(exp)).", "fmt.Println(“failed"],
  ...["self.account", "constants.js", "cfg->debug", "std::round", "::Global", "os.Stdout?"],
  ...["==", "!==", "a>=b", "&&", "||", "i++", "x+=1", "device=cuda"],
  ...["foo[0]", "items[i].", "{}", "{}?", "[]", "Map<String>", "<div>", "</div>", "<br/>"],
  ...["$port.", "$" + "{name}", "--config", "#include", "0xFF,", "./a", "/usr/lib", "src/debug.c"],
  ...["@Test(timeout=1)", "@org.junit.Test"],
];

const PROSE = [
  ...["the", "Sum", "state-of-the-art", "don't", "O'Brien", "naïve", "NULL", "TODO", "API", "APIs", "URLs", "PRs"],
  ...["file(s)", "class(es)", "(see", "below)", "[1]", "I/O", "and/or", "try/except", "w/", "-", "--", "->", "=>"],
  ...["e.g.", "(e.g.,", "i.e.:", "w.r.t.", "etc.", "done...", "2.x", "v1.2.3", "3.14", "10%", "$5", "#1234"],
  ...["GitHub", "GitHub's", "JavaScript-based", "GitHub/GitLab", "(MySQL)", "Node.js", "macOS.", "C++", "kHz", "PhD"],
  ...["ACKed", "_all_", "*never*", "**really**", "====", ":-)", ";-)", "<3", ":smile:", "/cc", "???", "…", "`"],
  ...["@some-user", "@SunRunAway,", "me@example.org", "https://example.org/a_b?c=d", "(https://example.org/getCode())"],
  ...["stackoverflow.com.", "example.org/get_code", "[link](https://example.org/a_b)"],
];

describe("looksLikeCode", () => {
  it.each(CODE)("takes %s for code", (word) => {
    expect(looksLikeCode(word)).toBe(true);
  });

  it.each(PROSE)("takes %s for prose", (word) => {
    expect(looksLikeCode(word)).toBe(false);
  });

  it.each(["a", "'", ")", "a[", "a.", "-a", "@a", "<a", "a_", "http://", "A"])(
    "takes linear time for a word of 1,000,000 characters that repeats %s",
    (part) => {
      const word = `'${part.repeat(1_000_000 / part.length)}x`;
      // Quadratic, it would be hours.
      looksLikeCode(word);
    },
  );
});
