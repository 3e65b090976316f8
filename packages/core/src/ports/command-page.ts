import type { CommandRecord } from '../commands/command.ts';
import { UsageError } from '../errors/errors.ts';
import type { CommandId } from '../id.ts';
import type { Level } from '../commands/level.ts';
import { type CommandFilter, type CommandStore, fitsFilter } from './command-store.ts';

/** Filter of a page of commands: the part that a store supports, and the rest. */
export type PageFilter = CommandFilter & {
  /** In title, tool, provider or id, ignoring case. */
  readonly text?: string | undefined;
  readonly level?: Level | undefined;
  /** A file that the command read, would write or wrote: this path, or below it. */
  readonly path?: string | undefined;
  /** `next` of the previous page. */
  readonly cursor?: string | undefined;
};

export type CommandPage = { readonly commands: readonly CommandRecord[]; readonly next: string | null };

type Position = { readonly at: number; readonly id: CommandId };

/** The default of a store's list. */
const DEFAULT_LIMIT = 100;
const READ_AT_ONCE = 200;

/**
 * A page of commands, newest first; `next` is null at the end.
 *
 * @throws {UsageError} `invalid-cursor`
 */
export async function listPage(
  store: Pick<CommandStore, 'list'>,
  { limit = DEFAULT_LIMIT, ...wanted }: PageFilter,
): Promise<CommandPage> {
  const found: CommandRecord[] = [];
  for await (const record of allThat(store, wanted)) {
    const last = found.at(-1);
    if (found.length === limit && last !== undefined) return { commands: found, next: cursorOf(last) };
    found.push(record);
  }
  return { commands: found, next: null };
}

/**
 * All matching commands, newest first.
 *
 * @throws {UsageError} `invalid-cursor`, before the first is read
 */
export function allThat(
  store: Pick<CommandStore, 'list'>,
  { text, level, path, cursor, ...filter }: Omit<PageFilter, 'limit'>,
): AsyncGenerator<CommandRecord> {
  return matching(newestFirst(store, filter, positionAt(cursor)), { text, level, path });
}

async function* matching(
  records: AsyncIterable<CommandRecord>,
  wanted: Pick<PageFilter, 'text' | 'level' | 'path'>,
): AsyncGenerator<CommandRecord> {
  for await (const record of records) if (matches(record, wanted)) yield record;
}

/** Reads a few at a time, so that an export of everything keeps no more than that in memory. */
async function* newestFirst(
  store: Pick<CommandStore, 'list'>,
  filter: CommandFilter,
  after: Position | null,
): AsyncGenerator<CommandRecord> {
  let position = after;
  let limit = READ_AT_ONCE;
  for (;;) {
    const to = Math.min(position?.at ?? Number.POSITIVE_INFINITY, filter.to ?? Number.POSITIVE_INFINITY);
    const page = await store.list({ ...filter, ...(Number.isFinite(to) ? { to } : {}), limit });
    const before: Position | null = position;
    const rest = page.filter((record) => before === null || isAfter(record, before));
    for (const record of rest) {
      yield record;
      position = { at: record.submittedAt, id: record.id };
    }
    if (page.length < limit) return;
    // More than a page within the same millisecond: read further.
    limit = rest.length === 0 ? limit * 2 : READ_AT_ONCE;
  }
}

function isAfter({ submittedAt, id }: CommandRecord, position: Position): boolean {
  return submittedAt < position.at || (submittedAt === position.at && id < position.id);
}

/** Cursor of a page that ends with this command. */
export function cursorOf({ submittedAt, id }: CommandRecord): string {
  return `${submittedAt}.${id}`;
}

function positionAt(cursor: string | undefined): Position | null {
  if (cursor === undefined) return null;
  const [at = '', id = ''] = cursor.split('.');
  if (!/^\d+$/.test(at) || id === '') {
    throw new UsageError('invalid-cursor', `Cannot go on from "${cursor}": it is not a valid cursor`, {
      next: ['use the cursor of the previous page, unchanged'],
    });
  }
  return { at: Number(at), id: id as CommandId };
}

/** Whether a command matches the filter, on any page. */
export function fitsPageFilter(record: CommandRecord, filter: PageFilter): boolean {
  return fitsFilter(record, filter) && matches(record, filter);
}

function matches(
  record: CommandRecord,
  { text, level, path }: Pick<PageFilter, 'text' | 'level' | 'path'>,
): boolean {
  if (level !== undefined && record.verdict?.level !== level) return false;
  if (path !== undefined && !pathsOf(record).some((one) => one === path || one.startsWith(`${path}/`)))
    return false;
  if (text === undefined) return true;
  const all = `${record.title} ${record.call.tool} ${record.context.provider} ${record.id}`;
  return all.toLowerCase().includes(text.toLowerCase());
}

function pathsOf({ result, verdict }: CommandRecord): readonly string[] {
  const touched = result?.files.map(({ path }) => path) ?? [];
  const effects = verdict?.effects.flatMap((effect) => ('path' in effect ? [effect.path] : [])) ?? [];
  return [...touched, ...effects.map(String)];
}
