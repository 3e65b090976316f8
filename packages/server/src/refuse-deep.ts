import { RequestRefusedError } from './problem.ts';

/** Code that walks a value recurses once for each level: thousands of levels would overflow the stack. */
const MAX_DEPTH = 100;

/** Each value is visited many times on the way to a result, while every other request waits. */
const MAX_VALUES = 50_000;

/** @throws {RequestRefusedError} `too-deep`, `too-many-values` */
export function refuseDeep(value: unknown): void {
  if (holdsMore(value, MAX_VALUES)) {
    throw new RequestRefusedError(
      400,
      'too-many-values',
      `Cannot accept this: its objects and lists hold more than ${MAX_VALUES} values`,
      { next: ['send it in parts'] },
    );
  }
  if (!nestsDeeper(value, MAX_DEPTH)) return;
  throw new RequestRefusedError(
    400,
    'too-deep',
    `Cannot accept this: its objects and lists nest more than ${MAX_DEPTH} deep`,
    { next: ['send it with less nesting'] },
  );
}

/** Whether objects and lists nest more than `max` levels deep. */
export function nestsDeeper(value: unknown, max: number): boolean {
  let level = [value].filter(isNest);
  for (let depth = 0; depth < max && level.length > 0; depth++) {
    level = level.flatMap((nest) => Object.values(nest).filter(isNest));
  }
  return level.length > 0;
}

/** Whether objects and lists hold more than `max` values, counted at every depth. */
export function holdsMore(value: unknown, max: number): boolean {
  const waiting: object[] = [value].filter(isNest);
  let count = 0;
  for (let nest = waiting.pop(); nest !== undefined; nest = waiting.pop()) {
    const values = Object.values(nest);
    count += values.length;
    if (count > max) return true;
    for (const one of values) if (isNest(one)) waiting.push(one);
  }
  return false;
}

function isNest(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
