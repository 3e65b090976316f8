import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * What agents and commands saw, one line each, in one append-only file: its order is the order of what happened,
 * whichever process wrote it, and lines of a killed process stay.
 */
export type EvidenceLog = Readonly<{
  /** By its agent, before it sends the call. */
  submitted(key: number): void;
  /** By its agent: it is known to wait, to run or to be done. */
  rested(key: number): void;
  /** By the command itself, while it holds its claims. */
  started(key: number): void;
  /** By the command itself, while it holds its claims; `value` is what it counted its file up to. */
  ended(key: number, value?: number): void;
  /** By its agent: its one result. */
  answered(key: number, result: Readonly<{ outcome: string; commandId: string }>): void;
  close(): void;
}>;

export type MarkKind = 'submitted' | 'rested' | 'started' | 'ended' | 'answered';

/** @param file Absolute; outside the workspace, where no command reaches it but by the tools of the bench. */
export function openEvidence(file: string): EvidenceLog {
  const descriptor = openSync(file, 'a', 0o600);
  const mark = (kind: MarkKind, key: number, more = ''): void => {
    writeSync(descriptor, `${microseconds()} ${kind} ${key}${more}\n`);
  };
  return {
    submitted: (key) => mark('submitted', key),
    rested: (key) => mark('rested', key),
    started: (key) => mark('started', key),
    ended: (key, value) => mark('ended', key, value === undefined ? '' : ` ${value}`),
    answered: (key, { outcome, commandId }) => mark('answered', key, ` ${outcome} ${commandId}`),
    close: () => closeSync(descriptor),
  };
}

/** Of the wall clock, which a shell's own `EPOCHREALTIME` reads too. */
function microseconds(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000);
}
