import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * Observations of agents and commands, one line each, in one append-only file: its order is the order of events across
 * all processes, and lines of a killed process remain.
 */
export type EvidenceLog = Readonly<{
  /** Written by the agent before it sends the call. */
  submitted(key: number): void;
  /** Written by the agent once the command is known to wait, to run or to be done. */
  rested(key: number): void;
  /** Written by the command while it holds its claims. */
  started(key: number): void;
  /** Written by the command while it holds its claims; `value` is the count it wrote to its file. */
  ended(key: number, value?: number): void;
  /** Written by the agent: its one result. */
  answered(key: number, result: Readonly<{ outcome: string; commandId: string }>): void;
  close(): void;
}>;

export type MarkKind = 'submitted' | 'rested' | 'started' | 'ended' | 'answered';

/** @param file Absolute; outside the workspace, where only the bench tools reach it. */
export function openEvidence(file: string): EvidenceLog {
  const descriptor = openSync(file, 'a', 0o600);
  const mark = (kind: MarkKind, key: number, { more = '' }: Readonly<{ more?: string }> = {}): void => {
    writeSync(descriptor, `${microseconds()} ${kind} ${key}${more}\n`);
  };
  return {
    submitted: (key) => mark('submitted', key),
    rested: (key) => mark('rested', key),
    started: (key) => mark('started', key),
    ended: (key, value) => mark('ended', key, { more: value === undefined ? '' : ` ${value}` }),
    answered: (key, { outcome, commandId }) => mark('answered', key, { more: ` ${outcome} ${commandId}` }),
    close: () => closeSync(descriptor),
  };
}

/** Wall clock, the same as a shell's `EPOCHREALTIME`. */
export function microseconds(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000);
}
