import { useCallback, useEffect, useReducer, useRef } from "react";

const DEFAULTS = {
  delayMs: 800,
  retryMs: 5_000,
  mostRetries: 3,
  storage: null,
  onSaved: () => undefined,
  onFailed: () => undefined,
};

function settingsOf(options) {
  return { ...DEFAULTS, storage: globalThis.localStorage, ...options };
}

function storageKey(id) {
  return `draft:${id}`;
}

function readStored(storage, id) {
  const text = storage.getItem(storageKey(id));
  if (text === null) return null;
  try {
    const stored = JSON.parse(text);
    return typeof stored.text === "string" ? stored : null;
  } catch {
    return null;
  }
}

function writeStored(storage, id, draft) {
  storage.setItem(storageKey(id), JSON.stringify(draft));
}

function removeStored(storage, id) {
  storage.removeItem(storageKey(id));
}

const FIRST = { text: "", status: "clean", savedText: "", retries: 0, error: null };

function initialState({ initialText, stored }) {
  if (stored === null) return { ...FIRST, text: initialText, savedText: initialText };
  return { ...FIRST, text: stored.text, savedText: initialText, status: "restored" };
}

function reduceDraft(state, action) {
  switch (action.type) {
    case "typed": {
      const isClean = action.text === state.savedText;
      return { ...state, text: action.text, status: isClean ? "clean" : "dirty", retries: 0, error: null };
    }
    case "saving":
      return { ...state, status: "saving" };
    case "saved": {
      const isLatest = state.text === action.text;
      return { ...state, savedText: action.text, status: isLatest ? "clean" : "dirty", retries: 0, error: null };
    }
    case "failed":
      return { ...state, status: "failed", retries: state.retries + 1, error: action.message };
    case "discarded":
      return { ...state, text: state.savedText, status: "clean", retries: 0, error: null };
    default:
      return state;
  }
}

function waitOf(state, { delayMs, retryMs, mostRetries }) {
  if (state.status === "dirty" || state.status === "restored") return delayMs;
  if (state.status === "failed" && state.retries <= mostRetries) return retryMs * state.retries;
  return null;
}

/**
 * A text that saves itself: some time after the last change, again with growing waits when that failed, and kept in the
 * browser until it is saved.
 */
export function useDraft(id, initialText, save, options) {
  const settings = settingsOf(options);
  const latest = useRef({ save, settings });
  latest.current = { save, settings };
  const [state, dispatch] = useReducer(reduceDraft, null, () =>
    initialState({ initialText, stored: readStored(settings.storage, id) }),
  );

  const saveNow = useCallback(
    async (text) => {
      const { save: send, settings: current } = latest.current;
      dispatch({ type: "saving" });
      try {
        await send(id, text);
        removeStored(current.storage, id);
        dispatch({ type: "saved", text });
        current.onSaved(text);
      } catch (error) {
        dispatch({ type: "failed", message: error.message });
        current.onFailed(error);
      }
    },
    [id],
  );

  const wait = waitOf(state, settings);
  useEffect(() => {
    if (wait === null) return undefined;
    const timer = setTimeout(() => saveNow(state.text), wait);
    return () => clearTimeout(timer);
  }, [wait, state.text, state.retries, saveNow]);

  const setText = useCallback(
    (text) => {
      writeStored(latest.current.settings.storage, id, { text });
      dispatch({ type: "typed", text });
    },
    [id],
  );

  const discard = useCallback(() => {
    removeStored(latest.current.settings.storage, id);
    dispatch({ type: "discarded" });
  }, [id]);

  return {
    text: state.text,
    status: state.status,
    error: state.error,
    isDirty: state.text !== state.savedText,
    setText,
    discard,
    saveNow: () => saveNow(state.text),
  };
}

const LABELS = {
  clean: "All changes saved",
  dirty: "Unsaved changes",
  restored: "Restored an unsaved draft",
  saving: "Saving",
  failed: "Could not save",
};

/** What a person reads of a status. */
export function statusLabel(status, error) {
  return status === "failed" && error !== null ? `${LABELS.failed}: ${error}` : LABELS[status];
}
