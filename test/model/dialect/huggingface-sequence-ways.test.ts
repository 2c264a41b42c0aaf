import { describe, expect, it } from "vitest";
import { prefillWay, readPrefill } from "../../../src/model/dialect/huggingface-dialect.js";

describe("TGI's details of a prompt", () => {
  it("are asked for with one token", () => {
    const parameters = { max_new_tokens: 1, do_sample: false, details: true, decoder_input_details: true };
    expect(prefillWay.request("text")).toEqual({ path: "/generate", body: { inputs: "text", parameters } });
  });

  it("are its tokens after BOS, without telling which would have been the most probable", () => {
    const prefill = [
      { id: 1, text: "<s>", logprob: null },
      { id: 5, text: "ab", logprob: -0.5 },
      { id: 6, text: "c", logprob: -3 },
    ];
    expect(readPrefill({ generated_text: "x", details: { prefill } }, "abc")).toEqual({
      status: "read",
      scores: { tokens: [5, 6], ends: [2, 3], logprobs: [-0.5, -3], isGreedy: [null, null] },
    });
  });

  it.each([{ generated_text: "x" }, { details: { prefill: [] } }, { details: { prefill: [{ id: 1 }] } }])(
    "are none in %j",
    (reply) => {
      expect(readPrefill(reply, "abc")).toMatchObject({
        status: "fault",
        fault: expect.stringMatching(/it ignores decoder_input_details/) as string,
      });
    },
  );
});
