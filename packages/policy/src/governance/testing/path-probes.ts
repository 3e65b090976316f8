import type { Effect, PathScope } from '@signalbox/core';
import type { Policy } from '../create-policy.ts';
import { questionOf } from './question-builders.ts';

/** The rule by which the path gate holds a call back, or `passes`. */
export function pathRule(
  policy: Policy,
  effect: Effect,
  changes: Parameters<typeof questionOf>[0] = {},
): string {
  return policy.checkPaths(questionOf({ ...changes, effects: [effect] }))?.rule ?? 'passes';
}

/** An effect on more than one file. */
export function onTree(
  kind: 'read' | 'write' | 'delete',
  path: string,
  { scope = 'tree' }: Readonly<{ scope?: PathScope }> = {},
): Effect {
  return { kind, path, scope };
}

/** An independent implementation for paths: relative to the workspace, or undefined outside it and for itself. */
export function normalised(path: string, base = '/home/ana/shop'): string | undefined {
  const stack: string[] = base.split('/').slice(1);
  for (const segment of path.split('/')) {
    if (segment === '..') stack.pop();
    else if (segment !== '.' && segment !== '') stack.push(segment);
  }
  const absolute = `/${stack.join('/')}`;
  return absolute.startsWith('/home/ana/shop/') ? absolute.slice('/home/ana/shop/'.length) : undefined;
}
