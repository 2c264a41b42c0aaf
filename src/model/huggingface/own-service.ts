import type { OwnService } from "../server/server-access.js";

/** Hugging Face's Inference Providers; endpoints are anybody's. */
export const HUGGING_FACE: OwnService = { url: "https://router.huggingface.co/v1", keyVariable: "HF_TOKEN" };
