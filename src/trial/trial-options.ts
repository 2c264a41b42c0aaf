import { seedOption } from "../console/model-options.js";
import { type Option, type OptionValues, usage } from "../console/option.js";
import {
  choiceOption,
  countOption,
  listOption,
  numberOption,
  switchOption,
  textOption,
  wholeOption,
} from "../console/option-kinds.js";
import { thinkOption } from "../run/think-option.js";
import { ENGINES } from "../workspace/cage.js";

/** Words of `--sandbox`. */
const SANDBOXES = ["auto", ...ENGINES, "none"] as const;

/** Option of runs and checks: their sandbox. */
export const SANDBOX_OPTION = choiceOption(
  "auto (bubblewrap, else podman or docker, whichever works first), bwrap, podman, docker or none",
  SANDBOXES,
  "auto",
  { isNamedAnew: true, group: "sandbox" },
);

/** Option of runs and checks: an image for containers. */
export const IMAGE_OPTION = textOption(
  "an image for podman or docker, with /bin/sh and what the tests need (default: this machine's system, read-only)",
  { isNamedAnew: true, group: "sandbox" },
);

/** A number of things, at least one. */
function numberOf(
  describe: string,
  fallback: number,
  rest: Pick<Option<number>, "parameter" | "group">,
): Option<number> {
  return wholeOption(`${describe} (default: ${fallback})`, 1, fallback, rest);
}

/** Option of a run and of a check. */
export const DATA_OPTION = textOption("folder of the tasks (default: those that come with the program)", {
  parameter: "data",
  group: "questions",
  isNamedAnew: true,
});

/** Option of suites whose tasks are about repositories that they do not bring. */
export const REPO_OPTION = textOption("a clone that the tasks are about, or a folder of clones by their names", {
  parameter: "repo",
  group: "questions",
  isNamedAnew: true,
});

/** Names of agents that are not commands. */
const OTHER_AGENTS: readonly string[] = ["loop", "patches"];

/** `--agent-name`: a name that no other agent has. */
function agentNameOption(): Option<string | null> {
  const option = textOption("name of a command agent in tables, runs and comparisons (default: command)", {
    parameter: "agent_name",
  });
  return {
    ...option,
    record: (name) => name ?? undefined,
    parse(given, flag) {
      const name = option.parse(given, flag);
      if (name === null || (/^[\w.@+-][\w .@+-]{0,59}$/.test(name) && !OTHER_AGENTS.includes(name))) return name;
      throw usage(
        flag,
        "a name of up to 60 letters, digits, blanks and . @ + _ -, not loop or patches",
        `"${name.slice(0, 80)}"`,
      );
    },
  };
}

/** Options that name the agent, besides `--model`. */
const AGENT_OPTIONS = {
  agentCmd: textOption(
    "a command as agent, for sh -c: {workspace} {prompt_file} {task_id} {condition} {output_dir} stand for what they name",
    { isNamedAnew: true },
  ),
  agentName: agentNameOption(),
  agentVersionCmd: textOption(
    "a command, for sh -c in the sandbox, whose first line is the version of a command agent",
    { isNamedAnew: true },
  ),
  patches: textOption("a folder with DIR/TASK[/CONDITION][/TRIAL].patch in place of an agent", {
    parameter: "patches",
    group: "agent",
    isNamedAnew: true,
  }),
  agent: textOption(
    "scripted:noop (changes nothing), scripted:gold (the right solution) or scripted:FILE.jsonl (calls)",
    { parameter: "agent", group: "agent", isNamedAnew: true },
  ),
  controls: switchOption("also run noop and gold: floor and ceiling of every score", {
    parameter: "controls",
    group: "agent",
  }),
  agentNet: choiceOption("network of a command agent: on or off (off needs bubblewrap)", ["on", "off"], "on", {
    parameter: "agent_net",
    group: "agent",
  }),
  agentEnv: listOption("variables of this environment that a command agent gets: comma list or repeated", {
    isNamedAnew: true,
    group: "agent",
  }),
};

/** Options of every suite of agents, in the order in which `run.json` keeps them. */
export const TRIAL_OPTIONS = {
  data: DATA_OPTION,
  ...AGENT_OPTIONS,
  condition: listOption("only these conditions: comma list or repeated", { parameter: "conditions" }),
  taskId: listOption("only these tasks: comma list or repeated", { parameter: "task_ids" }),
  trials: numberOf("independent trials a task and condition", 1, { parameter: "trials" }),
  sample: countOption("draw N tasks at random", 1, { parameter: "sample", group: "questions" }),
  seed: seedOption("seed of --sample and of what is drawn besides (default: 0)", { group: "questions" }),
  limit: countOption("the first N tasks (after --sample)", 1, { parameter: "limit" }),
  attempts: numberOf("attempts a trial, the next only after a non-success", 3, {
    parameter: "attempts",
    group: "limits",
  }),
  maxCalls: numberOf("calls of tools an attempt", 50, { parameter: "max_calls", group: "limits" }),
  timeLimit: countOption("seconds an attempt (default: 1200 for a command agent, none for a model)", 1, {
    parameter: "time_limit",
    group: "limits",
  }),
  budget: numberOption(
    "US dollars a trial; the price of the model must be known",
    {
      fits: (value) => Number.isFinite(value) && value > 0,
      refusal: (flag, text) => `Expected --${flag} to be a number above 0, found "${text}".`,
    },
    null,
    { parameter: "budget", group: "limits" },
  ),
  includeInvalid: switchOption("also try tasks that are not valid; they stay outside every rate", {
    parameter: "include_invalid",
    group: "questions",
  }),
  cluster: choiceOption(
    "intervals over the means of tasks, or of groups such as repositories",
    ["task", "group"],
    "task",
    { parameter: "cluster", group: "questions" },
  ),
  jobs: countOption("trials at once (default: 1, as limits are wall-clock)", 1, { group: "limits" }),
  sandbox: SANDBOX_OPTION,
  image: IMAGE_OPTION,
  toolProtocol: choiceOption("native, or text for a server without tools", ["native", "text"], "native", {
    parameter: "tool_protocol",
    group: "agent",
  }),
  think: thinkOption("before each message of a model that works", { parameter: "think", group: "agent" }),
  replies: textOption("a replies.jsonl to replay from", { parameter: "replies", group: "sandbox", isNamedAnew: true }),
  replay: choiceOption(
    "off, prefer (ask what is not recorded) or only (ask nothing)",
    ["off", "prefer", "only"],
    "off",
    { parameter: "replay", group: "sandbox" },
  ),
};

/** Values of the options that every suite of agents has. */
export type TrialValues = OptionValues<typeof TRIAL_OPTIONS>;

/** Seconds that an attempt of a command agent has where `--time-limit` was not given. */
export const COMMAND_LIMIT_SECONDS = 1200;
