import type { OwnService } from "../server/server-access.js";

/** OpenAI itself, in distinction from what speaks its language. */
export const OPENAI: OwnService = { url: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" };
