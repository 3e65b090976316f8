import { type CommandFilter, type CommandId, type CommandRecord, type CommandStore } from '@signalbox/core';
import { RequestRefusedError } from '../problem.ts';

/** What `CommandFilter` cannot ask of the store. */
export type Wanted = CommandFilter & {
  /** In title, tool or arguments, whatever the case. */
  readonly text?: string | undefined;
  readonly level?: string | undefined;
  /** A file that it read, would write or wrote: this one, or below this folder. */
  readonly path?: string | undefined;
  /** Where the page before ended. */
  readonly cursor?: string | undefined;
  /** 1 to 200. */
  readonly limit: number;
};

export type CommandPage = { readonly commands: readonly CommandRecord[]; readonly next: string | null };

type Place = { readonly at: number; readonly id: CommandId };

const READ_AT_ONCE = 200;

/** A page of commands, newest first; `next` is null at the end. */
export async function listPage(store: Pick<CommandStore, 'list'>, wanted: Wanted): Promise<CommandPage> {
  const { text, level, path, cursor, limit, ...filter } = wanted;
  const found: CommandRecord[] = [];
  for await (const record of newestFirst(store, filter, cursor === undefined ? null : placeOf(cursor))) {
    if (!matches(record, { text, level, path })) continue;
    const last = found.at(-1);
    if (found.length === limit && last !== undefined) return { commands: found, next: cursorOf(last) };
    found.push(record);
  }
  return { commands: found, next: null };
}

/** All that fit, newest first. */
export async function* allThat(
  store: Pick<CommandStore, 'list'>,
  { text, level, path, ...filter }: Omit<Wanted, 'cursor' | 'limit'>,
): AsyncGenerator<CommandRecord> {
  for await (const record of newestFirst(store, filter)) {
    if (matches(record, { text, level, path })) yield record;
  }
}

/** All of them, a few at a time, so that an export of everything keeps no more than that in memory. */
async function* newestFirst(
  store: Pick<CommandStore, 'list'>,
  filter: CommandFilter,
  after: Place | null = null,
): AsyncGenerator<CommandRecord> {
  let place = after;
  let limit = READ_AT_ONCE;
  for (;;) {
    const to = Math.min(place?.at ?? Number.POSITIVE_INFINITY, filter.to ?? Number.POSITIVE_INFINITY);
    const page = await store.list({ ...filter, ...(Number.isFinite(to) ? { to } : {}), limit });
    const before: Place | null = place;
    const rest = page.filter((record) => before === null || isAfter(record, before));
    for (const record of rest) {
      yield record;
      place = { at: record.submittedAt, id: record.id };
    }
    if (page.length < limit) return;
    // More than a page of the same millisecond: read further.
    limit = rest.length === 0 ? limit * 2 : READ_AT_ONCE;
  }
}

function isAfter({ submittedAt, id }: CommandRecord, place: Place): boolean {
  return submittedAt < place.at || (submittedAt === place.at && id < place.id);
}

function cursorOf({ submittedAt, id }: CommandRecord): string {
  return `${submittedAt}.${id}`;
}

function placeOf(cursor: string): Place {
  const [at = '', id = ''] = cursor.split('.');
  if (!/^\d+$/.test(at) || id === '') {
    throw new RequestRefusedError(
      400,
      'invalid-cursor',
      `Cannot go on from "${cursor}": it is no cursor of ours`,
      {
        next: ['take `next` of the page before as it is'],
      },
    );
  }
  return { at: Number(at), id: id as CommandId };
}

function matches(
  record: CommandRecord,
  { text, level, path }: Pick<Wanted, 'text' | 'level' | 'path'>,
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
