import { InvariantError } from '@signalbox/core';
import type { Row } from './database.ts';

export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new InvariantError(`Cannot read column "${column}": it holds no text`);
  return value;
}

export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number')
    throw new InvariantError(`Cannot read column "${column}": it holds no number`);
  return value;
}
