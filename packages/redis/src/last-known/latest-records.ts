import type { CommandId, CommandRecord, CommandStore } from '@signalbox/core';

const RECORDS = 500;
const RECORDS_A_PAGE = 100;

/** Newest first, page by page, so that no script blocks Redis for long. */
export async function latestOf(store: Pick<CommandStore, 'list'>): Promise<readonly CommandRecord[]> {
  const found = new Map<CommandId, CommandRecord>();
  let to = Number.POSITIVE_INFINITY;
  while (found.size < RECORDS) {
    const known = found.size;
    const page = await store.list({ limit: RECORDS_A_PAGE, ...(Number.isFinite(to) ? { to } : {}) });
    for (const record of page) found.set(record.id, record);
    to = page.at(-1)?.submittedAt ?? to;
    if (page.length < RECORDS_A_PAGE || found.size === known) break;
  }
  return [...found.values()].toReversed();
}
