import { holdsMore, nestsDeeper } from './nests-deeper.ts';
import { RequestRefusedError } from './problem.ts';

/** Code that walks a value recurses once for each level: thousands of levels would overflow the stack. */
const MOST_NESTED = 100;

/** Each value is visited many times on the way to a result, while every other request waits. */
const MOST_VALUES = 50_000;

/** @throws {RequestRefusedError} `too-deep`, `too-many-values` */
export function refuseDeep(value: unknown): void {
  if (holdsMore(value, MOST_VALUES)) {
    throw new RequestRefusedError(
      400,
      'too-many-values',
      `Cannot accept this: its objects and lists hold more than ${MOST_VALUES} values`,
      { next: ['send it in parts'] },
    );
  }
  if (!nestsDeeper(value, MOST_NESTED)) return;
  throw new RequestRefusedError(
    400,
    'too-deep',
    `Cannot accept this: its objects and lists nest more than ${MOST_NESTED} deep`,
    { next: ['send it with less nesting'] },
  );
}
