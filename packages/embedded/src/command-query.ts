import type { SQLInputValue } from 'node:sqlite';
import type { CommandFilter } from '@signalbox/core';

/** The statement that lists the commands matching the filter, with its parameter values. */
export function commandQuery(filter: CommandFilter & { readonly limit: number }): {
  sql: string;
  values: readonly SQLInputValue[];
} {
  const conditions: string[] = [];
  const values: SQLInputValue[] = [];
  const where = (condition: string, value: SQLInputValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    values.push(value);
  };
  const whereIn = (column: string, names: readonly string[] | undefined): void => {
    if (names === undefined) return;
    conditions.push(`${column} IN (${names.map(() => '?').join(', ')})`);
    values.push(...names);
  };

  where('provider = ?', filter.provider);
  where('session_id = ?', filter.sessionId);
  where('tool = ?', filter.tool);
  where('submitted_at >= ?', filter.from);
  where('submitted_at <= ?', filter.to);
  whereIn('state', filter.states);
  whereIn('outcome', filter.outcomes);
  const all = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
  return {
    sql: `SELECT id, record FROM commands ${all} ORDER BY submitted_at DESC, id DESC LIMIT ?`,
    values: [...values, filter.limit],
  };
}
