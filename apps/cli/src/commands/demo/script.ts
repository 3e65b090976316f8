import type { Event, JsonObject } from '@signalbox/core';

/** Results of a scripted model's last calls, as transmitted. */
export type LastResults = readonly string[];

/** An event that must have happened in the workspace. */
export type Milestone = (event: Event) => boolean;

export type ScriptCall = { readonly tool: string; readonly args: JsonObject };

/** One turn of a scripted model. */
export type DemoStep = {
  readonly say: string;
  /** Shown as the model's thoughts, if the protocol supports them. */
  readonly thoughts?: string;
  readonly calls: readonly ScriptCall[];
  /** Used only if the last results match; otherwise the next step of the same turn is tried. */
  readonly when?: (results: LastResults) => boolean;
  /** Sent only after this event: other providers are waited for, never timed. */
  readonly after?: Milestone;
  /** Thinking time, once `after` happened; with `--fast` at most a tenth of a second. */
  readonly thinkMs: number;
};

/** A scripted model: the alternatives of each turn, of which the first match is sent. */
export type DemoScript = {
  readonly provider: string;
  readonly model: string;
  readonly task: string;
  readonly turns: readonly (readonly DemoStep[])[];
};

/** The step for a turn, counted from 0, and the results of the previous one; `undefined` at the end of the script. */
export function stepOf(
  script: DemoScript,
  turn: number,
  { results }: Readonly<{ results: LastResults }>,
): DemoStep | undefined {
  return script.turns[turn]?.find((step) => step.when?.(results) ?? true);
}

/** Whether one of the results contains the text. */
export function resultContains(text: string): (results: LastResults) => boolean {
  return (results) => results.some((result) => result.includes(text));
}
