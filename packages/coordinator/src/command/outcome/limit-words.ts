import { type Failure, type LimitHit, type LimitKey, writtenDuration } from '@signalbox/core';
import type { LimitSettings } from '../../judging/limits-for.ts';

/** The setting behind a limit, if known. */
export type SettingOf = Partial<LimitSettings>;

type Words = {
  /** `used` with its unit: what the command did before it was killed. */
  readonly did: (used: string) => string;
  readonly unit: string;
  readonly what: string;
};

const WORDS: Readonly<Record<LimitKey, Words>> = {
  max_memory_mb: { did: (used) => `used ${used} of memory`, unit: ' MiB', what: 'of memory' },
  max_cpu_percent: {
    did: (used) => `used ${used}`,
    unit: ' %',
    what: 'of the processors, so it was slowed down',
  },
  max_processes: { did: (used) => `started ${used}`, unit: ' processes', what: 'at once' },
  max_file_mb: { did: (used) => `wrote ${used} to one file`, unit: ' MiB', what: 'in one file' },
  max_written_mb: {
    did: (used) => `wrote ${used}`,
    unit: ' MiB',
    what: 'in all files together, and 1024 MiB in its home and each temporary folder',
  },
  max_written_files: { did: (used) => `made ${used}`, unit: ' files', what: 'in all' },
  max_open_files: { did: (used) => `opened ${used}`, unit: ' files', what: 'open in one process' },
};

/** For a command that was killed for a limit: what it used, what is allowed, and the setting. */
export function killedForLimit(limit: LimitKey, hit: LimitHit | undefined, setting: SettingOf): Failure {
  const { did, unit } = WORDS[limit];
  if (hit === undefined) return killed(`went over its limit (${setting[limit] ?? limit})`);
  const allowed = `${hit.allowed}${unit}`;
  // A sampled value may have been lower at the last sample.
  const isOver = hit.used !== null && hit.used >= hit.allowed;
  const used = isOver ? `${hit.used}${unit}` : `more than ${allowed}`;
  return killed(`${did(used)} (limit ${allowed}${named(setting[limit])})`, raise(hit, setting));
}

function killed(why: string, suggestion: string | null = null): Failure {
  return {
    code: 'limit-reached',
    category: 'PermanentFailure',
    message: `Killed: ${why}`,
    suggestion: suggestion ?? 'Do less in one command',
    visibility: 'visible',
  };
}

/** For a command that hit a limit and continued: `256 processes at once (sandbox.resource_limits.max_processes)`. */
export function limitText(hit: LimitHit, setting: SettingOf): string {
  const { unit, what } = WORDS[hit.limit];
  return `${hit.allowed}${unit} ${what} (${setting[hit.limit] ?? hit.limit})`;
}

/** For a command that took too long. */
export function killedForTime(timeoutMs: number, setting: SettingOf): Failure {
  const { timeout_ms: key } = setting;
  const allowed = writtenDuration(timeoutMs);
  const raised = writtenDuration(timeoutMs * 2);
  return {
    code: 'timeout',
    category: 'Timeout',
    message: `Killed: still running after ${allowed} (limit ${allowed}${key === null ? ', as the call asked' : named(key)})`,
    suggestion:
      key == null
        ? 'Do less in one command, or call it with a longer timeout'
        : `Do less in one command, or have a person raise the limit:  signalbox config set ${key} ${raised}`,
    visibility: 'visible',
  };
}

/** The setting line that raises a limit; null if a higher limit would not have helped. */
function raise({ limit, allowed, used }: LimitHit, setting: SettingOf): string | null {
  const key = setting[limit];
  if (key === undefined || limit === 'max_cpu_percent') return null;
  const enough = 2 * Math.max(allowed, used ?? 0);
  return `Do less in one command, or have a person raise the limit:  signalbox config set ${key} ${enough}`;
}

/** What to do about limits that a command hit before it failed by itself. */
export function raiseAny(hits: readonly LimitHit[], setting: SettingOf): string | undefined {
  return hits.map((hit) => raise(hit, setting)).find((text) => text !== null) ?? undefined;
}

function named(setting: string | null | undefined): string {
  return setting == null ? '' : `, ${setting}`;
}
