import type { Event, JsonObject } from '@signalbox/core';

/** What a scripted model is told of its last calls, as the wire carries it. */
export type LastResults = readonly string[];

/** Something that has to have happened in the workspace, seen in its events. */
export type Milestone = (event: Event) => boolean;

export type ScriptCall = { readonly tool: string; readonly args: JsonObject };

/** One turn of a scripted model. */
export type DemoStep = {
  readonly say: string;
  /** Shown as the model's thoughts, where the wire has a place for them. */
  readonly thoughts?: string;
  readonly calls: readonly ScriptCall[];
  /** Said only when the last results are so; else the next step of the same turn is looked at. */
  readonly when?: (results: LastResults) => boolean;
  /** Said only after this happened: what other providers do is waited for, never guessed by time. */
  readonly after?: Milestone;
  /** Thinking time, once `after` happened; with `--fast` a tenth of a second at most. */
  readonly thinkMs: number;
};

/** A scripted model: the alternatives of each turn, the first one that fits is said. */
export type DemoScript = {
  readonly provider: string;
  readonly model: string;
  readonly task: string;
  readonly turns: readonly (readonly DemoStep[])[];
};

/** The step for a turn, counted from 0, and what came back from the one before; `undefined` when the script ends. */
export function stepOf(script: DemoScript, turn: number, results: LastResults): DemoStep | undefined {
  return script.turns[turn]?.find((step) => step.when?.(results) ?? true);
}

/** Whether one of the results holds the text. */
export function heard(text: string): (results: LastResults) => boolean {
  return (results) => results.some((result) => result.includes(text));
}
