import { nestsDeeper } from './nests-deeper.ts';
import { RequestRefusedError } from './problem.ts';

/** What walks through a value calls itself for each level: thousands of them would end the stack. */
const MOST_NESTED = 100;

/** @throws {RequestRefusedError} `too-deep` */
export function refuseDeep(value: unknown): void {
  if (!nestsDeeper(value, MOST_NESTED)) return;
  throw new RequestRefusedError(
    400,
    'too-deep',
    `Cannot take this: its objects and lists nest more than ${MOST_NESTED} deep`,
    { next: ['send it flatter'] },
  );
}
