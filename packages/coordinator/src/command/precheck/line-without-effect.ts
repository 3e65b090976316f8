import type { CallContext, Executor, Files, Inspector, Verdict } from '@signalbox/core';
import { type RequiredPart, neededParts, wholeLine } from '@signalbox/policy';
import { gitWithoutEffect } from './git-without-effect.ts';
import type { NoEffect } from './without-effect.ts';
import { missingProgram } from './missing-program.ts';
import { missingFile } from './missing-file.ts';

type Shell = { readonly line: string; /** Normalised. */ readonly cwd: string };

/**
 * Why a shell line can't do what it is for as things are now: a part that certainly runs can't run, and nothing before
 * it changes anything. Undefined if it can, or if that is unknown.
 */
export async function lineWithoutEffect(
  { line, cwd }: Shell,
  parts: {
    readonly executor: Pick<Executor, 'lacks'>;
    readonly inspector: Pick<Inspector, 'obstacle'>;
    readonly files: Pick<Files, 'list' | 'stat'>;
    /** Paths that the line's caller may not read. */
    readonly isDenied: (path: string) => boolean;
    readonly clientEnv: CallContext['clientEnv'];
    readonly verdict: Verdict | null;
  },
): Promise<NoEffect | undefined> {
  const { executor, inspector, clientEnv } = parts;
  const asked = clientEnv === undefined ? {} : { clientEnv };
  const lacks = async (program: string) => (await executor.lacks?.(program, asked)) ?? false;
  for (const part of neededParts(line, cwd)) {
    const found =
      (await missingProgram(part, { ...parts, lacks })) ??
      (await missingFile(part, parts)) ??
      (await gitWithoutEffect(part, inspector));
    if (found !== undefined) return found;
  }
  return allMissing(wholeLine(line, cwd), (part) => missingProgram(part, { ...parts, lacks }));
}

/** Whether none of a line's programs exists: then none runs, whatever their order. */
async function allMissing(
  line: readonly RequiredPart[],
  missing: (part: RequiredPart) => Promise<NoEffect | undefined>,
): Promise<NoEffect | undefined> {
  const found: NoEffect[] = [];
  for (const part of line) {
    const one = await missing(part);
    if (one === undefined) return undefined;
    found.push(one);
  }
  const [first] = found;
  if (first === undefined) return undefined;
  return {
    failure: first.failure,
    mayChange: (verdict) => found.some(({ mayChange }) => mayChange(verdict)),
    mayBePrepared: found.some(({ mayBePrepared }) => mayBePrepared),
  };
}
