import { type CommandPage, type CommandRecord, cursorOf, type PageFilter } from '@signalbox/core';
import { filterableOf, fitsTerms, type RecordFilter } from './record-filter.ts';

const READ_AT_ONCE = 200;
/** Of a page. */
const DEFAULT_LIMIT = 100;

/** A page of the commands that also match the typed filter; reads as many pages as that takes. */
export async function pageThatFits(
  read: (filter: PageFilter) => Promise<CommandPage>,
  { limit = DEFAULT_LIMIT, ...filter }: PageFilter,
  typed: RecordFilter | undefined,
): Promise<CommandPage> {
  if (typed === undefined) return read({ ...filter, limit });
  const found: CommandRecord[] = [];
  let cursor = filter.cursor;
  for (;;) {
    const page = await read({ ...filter, cursor, limit: READ_AT_ONCE });
    for (const record of page.commands.filter((one) => fitsTerms(typed, filterableOf(one)))) {
      const last = found.at(-1);
      if (found.length === limit && last !== undefined) return { commands: found, next: cursorOf(last) };
      found.push(record);
    }
    if (page.next === null) return { commands: found, next: null };
    cursor = page.next;
  }
}
