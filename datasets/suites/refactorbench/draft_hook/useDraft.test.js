import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { statusLabel, useDraft } from "./src/hooks/useDraft";

const draftOf = (save, options) => renderHook(() => useDraft("note-1", "first", save, options));
const pass = (ms) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("useDraft", () => {
  it("begins with the text it is given", () => {
    const { result } = draftOf(vi.fn());
    expect(result.current).toMatchObject({ text: "first", status: "clean", isDirty: false, error: null });
  });

  it("saves some time after the last change", async () => {
    const save = vi.fn().mockResolvedValue(undefined);
    const { result } = draftOf(save);
    act(() => result.current.setText("a"));
    await pass(500);
    act(() => result.current.setText("ab"));
    await pass(799);
    expect(save.mock.calls).toEqual([]);
    await pass(1);
    expect(save.mock.calls).toEqual([["note-1", "ab"]]);
    expect(result.current).toMatchObject({ status: "clean", isDirty: false });
  });

  it("keeps the text in the browser until it is saved", async () => {
    const { result } = draftOf(vi.fn().mockResolvedValue(undefined));
    act(() => result.current.setText("kept"));
    expect(localStorage.getItem("draft:note-1")).toBe('{"text":"kept"}');
    await pass(800);
    expect(localStorage.getItem("draft:note-1")).toBe(null);
  });

  it("restores and saves what was kept", async () => {
    localStorage.setItem("draft:note-1", '{"text":"from before"}');
    const save = vi.fn().mockResolvedValue(undefined);
    const { result } = draftOf(save);
    expect(result.current).toMatchObject({ text: "from before", status: "restored", isDirty: true });
    await pass(800);
    expect(save.mock.calls).toEqual([["note-1", "from before"]]);
  });

  it("takes no notice of what it cannot read", () => {
    localStorage.setItem("draft:note-1", "{nonsense");
    expect(draftOf(vi.fn()).result.current.text).toBe("first");
  });

  it("is clean again when a change is taken back", async () => {
    const save = vi.fn();
    const { result } = draftOf(save);
    act(() => result.current.setText("other"));
    act(() => result.current.setText("first"));
    await pass(10_000);
    expect([result.current.status, save.mock.calls.length]).toEqual(["clean", 0]);
  });

  it("tries again with growing waits, then gives up", async () => {
    const save = vi.fn().mockRejectedValue(new Error("offline"));
    const onFailed = vi.fn();
    const { result } = draftOf(save, { onFailed });
    act(() => result.current.setText("x"));
    await pass(800);
    expect(result.current).toMatchObject({ status: "failed", error: "offline" });
    await pass(4_999);
    expect(save.mock.calls.length).toBe(1);
    await pass(1);
    expect(save.mock.calls.length).toBe(2);
    await pass(9_999);
    expect(save.mock.calls.length).toBe(2);
    await pass(1);
    expect(save.mock.calls.length).toBe(3);
    await pass(15_000);
    await pass(120_000);
    expect([save.mock.calls.length, onFailed.mock.calls.length]).toEqual([4, 4]);
  });

  it("stays dirty when the text changed while it was saved", async () => {
    let finish;
    const save = vi.fn(() => new Promise((resolve) => (finish = resolve)));
    const { result } = draftOf(save);
    act(() => result.current.setText("one"));
    await pass(800);
    act(() => result.current.setText("two"));
    await act(async () => finish());
    expect(result.current).toMatchObject({ text: "two", status: "dirty", isDirty: true });
  });

  it("discards what was not saved", async () => {
    const save = vi.fn();
    const { result } = draftOf(save);
    act(() => result.current.setText("away"));
    act(() => result.current.discard());
    await pass(2_000);
    expect(result.current).toMatchObject({ text: "first", status: "clean" });
    expect([localStorage.getItem("draft:note-1"), save.mock.calls.length]).toEqual([null, 0]);
  });

  it("saves at once when asked, and tells", async () => {
    const onSaved = vi.fn();
    const { result } = draftOf(vi.fn().mockResolvedValue(undefined), { onSaved });
    act(() => result.current.setText("now"));
    await act(() => result.current.saveNow());
    expect(onSaved.mock.calls).toEqual([["now"]]);
  });

  it("saves nothing once it is gone", async () => {
    const save = vi.fn();
    const { result, unmount } = draftOf(save, { delayMs: 50 });
    act(() => result.current.setText("late"));
    unmount();
    await pass(1_000);
    expect(save.mock.calls.length).toBe(0);
  });
});

describe("statusLabel", () => {
  it("tells how things are", () => {
    expect(statusLabel("saving", null)).toBe("Saving");
    expect(statusLabel("failed", "offline")).toBe("Could not save: offline");
  });
});
