import { blockersOf, type ApiClient, sinceOf } from '@signalbox/api';
import { shortId } from '@signalbox/core';
import { clientAt } from '../../client/client-at.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { as, type Line, line, muted, printed } from '../../terminal/line.ts';
import { plural } from '../../terminal/render-context.ts';
import { gap, wrap } from '../../terminal/cells.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { refusedConnections } from '../../views/command/refused-connections.ts';
import { answeredText } from '../../views/command/output-view.ts';
import { commandView } from '../../views/command/command-view.ts';
import { waitsText } from '../../views/command/waits-text.ts';
import type { OutputTail } from './frame/output-tail.ts';
import type { WatchState } from './frame/watch-state.ts';
import type { WatchOverlay } from './frame/watch-ui.ts';

/** Bytes fetched from the end of an output. */
const MAX_OUTPUT_BYTES = 256 * 1024;

/** Requests to the server by key. */
export type WatchActions = Readonly<{
  /** Everything known about a command, and its changes. */
  open(id: string, seen: WatchState): Promise<WatchOverlay>;
  output(id: string, tail: OutputTail | undefined): Promise<WatchOverlay>;
  cancel(id: string): Promise<Line>;
  /** Compresses the conversation of a session. */
  compress(id: string): Promise<Line>;
  /** Says something to a session: read at its next turn, or now. */
  say(id: string, message: Readonly<{ text: string; interrupts: boolean }>): Promise<Line>;
  /** What an undo would restore. */
  pathsOf(id: string): Promise<readonly string[]>;
  undo(id: string, paths: readonly string[]): Promise<Line>;
}>;

export function createWatchActions({
  access,
  context,
}: Readonly<{ access: () => LocalAccess; context: Context }>): WatchActions {
  const client = (): ApiClient => clientAt(access());

  async function streamOf(id: string, stream: 'stdout' | 'stderr'): Promise<readonly Line[]> {
    const part = { stream, from: -MAX_OUTPUT_BYTES, length: MAX_OUTPUT_BYTES };
    const { text, from } = await client().readOutput({ id, ...part });
    if (text === '') return [];
    const cut =
      from > 0 ? [line(muted(` … ${plural(from, 'byte')} before this: signalbox output ${id}`))] : [];
    const rows = text.replace(/\n$/, '').split('\n');
    return [...cut, ...rows.map((row) => printedRow(row, stream))];
  }

  return {
    async open(id, seen) {
      const tail = seen.outputs.get(id);
      const live = seen.commands.get(id);
      const record = await client().getCommand({ id });
      const { files } = await client()
        .getDiff({ id })
        .catch(() => ({ files: [] }));
      const render = context.noticeRender();
      const blockers = live?.state === 'queued' ? blockersOf(live, seen) : null;
      const waits = blockers?.map((one) => ({ ...one, since: sinceOf(one) })) ?? null;
      const waitsFor = waitsText(waits, render);
      const wide = { ...render, width: Infinity };
      const lines = commandView(record, wide, {
        waitsFor,
        maxChanged: Infinity,
        maxFiles: Infinity,
      }).flatMap((row) => wrapped(row, render.width));
      const patches = files.flatMap(({ patch }) => patch.split('\n').map(patchRow));
      const printedRows = tail?.rows.slice(-20).map(({ text, stream }) => printedRow(text, stream)) ?? [];
      return { kind: 'text', title: `Command ${shortId(id)}`, lines: [...lines, ...patches, ...printedRows] };
    },
    async output(id, tail) {
      const { result } = await client().getCommand({ id });
      const refused = refusedConnections(result);
      const kept = [...(await streamOf(id, 'stdout')), ...(await streamOf(id, 'stderr'))];
      // The server has the output of ended commands; of a running one, this screen has the end.
      const rows =
        kept.length > 0 ? kept : (tail?.rows.map(({ text, stream }) => printedRow(text, stream)) ?? []);
      const answered = result === null ? '' : answeredText(result);
      const others = answered.split('\n').map((row) => printedRow(row, 'stdout'));
      const nothing = answered === '' ? [line(muted(' No output'))] : others;
      return {
        kind: 'text',
        title: `Output ${shortId(id)}`,
        lines: [...refused, ...(rows.length > 0 ? rows : nothing)],
      };
    },
    async cancel(id) {
      const { kind } = await client().cancelCommand({ id });
      const words = {
        cancelled: 'cancelled',
        stopping: 'is being stopped',
        'already-done': 'had already finished',
      };
      return line(as('ok', ' ○'), ` ${shortId(id)} ${words[kind]}`);
    },
    async compress(id) {
      await client().compressSession({ id });
      return line(as('ok', ' ✓'), ' the conversation is compressed before the next turn');
    },
    async say(id, { text, interrupts }) {
      await client().sayToSession({ id, text, interrupts });
      const when = interrupts ? 'it stops what it does, and reads it now' : 'it reads it at its next turn';
      return line(as('ok', ' ✓'), ` ${when}`);
    },
    async pathsOf(id) {
      const { files } = await client().getDiff({ id });
      return files.map(({ path }) => path);
    },
    async undo(id, paths) {
      const { id: undoing } = await client().undoCommand({ id, paths });
      return line(as('ok', ' ✓'), ` ${shortId(undoing)} undoes ${shortId(id)}`);
    },
  };
}

function printedRow(text: string, stream: 'stdout' | 'stderr'): Line {
  return stream === 'stdout' ? line('  ', printed(text)) : line(muted('│ '), printed(text, 'muted'));
}

function patchRow(row: string): Line {
  const role = row.startsWith('+') ? 'ok' : row.startsWith('-') ? 'danger' : 'muted';
  return line('  ', printed(row, role));
}

function wrapped(row: Line, width: number): readonly Line[] {
  const [last] = row.slice(-1);
  if (last === undefined || row.length < 3) return [row];
  const head = row.slice(0, -1);
  return wrap(last.text, Math.max(20, width - 14)).map((text, i) =>
    i === 0 ? line(head, { ...last, text }) : line(gap(11), { ...last, text }),
  );
}
