import { expect, it } from "vitest";
import { JSON_VERSION, jsonText } from "../../src/console/json-output.js";

it("a document of --json has its version first, and every field in snake_case", () => {
  const text = jsonText({ createdAt: "x", list: [{ meanAccuracy: 1, p_value: null }], letterMass: { floorRule: 2 } });
  expect(text).toBe(
    `${JSON.stringify(
      {
        schema_version: JSON_VERSION,
        created_at: "x",
        list: [{ mean_accuracy: 1, p_value: null }],
        letter_mass: { floor_rule: 2 },
      },
      null,
      2,
    )}\n`,
  );
});

it("names that are no words of the program, and those of users and servers, stay as they are", () => {
  const document = { "src/aB.ts": 1, CL: 2, "made-upB": 3, settings: { contextSize: 4 }, run: { aB: 5 } };
  expect(JSON.parse(jsonText(document))).toEqual({ schema_version: JSON_VERSION, ...document });
});
