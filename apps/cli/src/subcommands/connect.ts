import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '@signalbox/core';
import { createPatch } from 'diff';
import * as z from 'zod';
import { AGENT_IDS, type AgentFile, agentOf } from '../connect/agents.ts';
import { plannedText } from '../connect/planned-text.ts';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { refuseInsideCommand } from '../frame/with-remote.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { diffRow } from '../views/diff-row.ts';

type Change = Readonly<{ file: AgentFile; path: string; before: string | null; after: string }>;

/** `signalbox connect claude-code --write`: an agent works through Signalbox from its next start on. */
export const connect = defineSubcommand({
  name: 'connect',
  args: z.object({
    agent: z.enum(AGENT_IDS),
    write: z.boolean().default(false),
    command: z.string().min(1).optional(),
  }),
  async run({ agent: id, write, command }, context) {
    refuseInsideCommand(context, 'change the settings of an agent');
    const [program = 'signalbox', ...args] = wordsOf(command ?? '');
    const agent = agentOf(id, { command: program, args });
    const changes = agent.files.map((file) => planned(file, context));
    if (write) for (const change of changes) put(change);
    context.answer({
      json: () => ({
        agent: id,
        written: write,
        files: changes.map(({ path, file: { purpose }, before, after }) => ({
          path,
          purpose,
          changed: before !== after,
          after,
        })),
        notes: agent.notes,
      }),
      lines: () => changes.flatMap(changeLines),
    });
    const isSame = changes.every(({ before, after }) => before === after);
    const verdict = isSame
      ? `${agent.name} works through Signalbox already`
      : write
        ? `${agent.name} works through Signalbox from its next start on`
        : 'Nothing was written: --write does';
    context.say([
      line(isSame || write ? as('ok', verdict) : muted(verdict)),
      ...agent.notes.map((note) => line(as('warn', 'note '), note)),
    ]);
    return EXIT.ok;
  },
});

/** Quotes hold a word together, such as a path with a space. */
function wordsOf(typed: string): readonly string[] {
  return [...typed.matchAll(/'([^']*)'|"([^"]*)"|\S+/g)].map(
    ([word, single, double]) => single ?? double ?? word,
  );
}

function planned(file: AgentFile, { directory }: Context): Change {
  const path = join(directory, file.path);
  const before = textOf(path);
  return { file, path, before, after: plannedText(file, before) };
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new UsageError('agent-file', `Cannot read "${path}"`, { cause: error });
  }
}

/** A file keeps its mode, and one that is reached by a link keeps its place. */
function put({ path, before, after }: Change): void {
  if (before === after) return;
  mkdirSync(dirname(path), { recursive: true });
  const place = existsSync(path) ? realpathSync(path) : path;
  const fresh = `${place}.signalbox-${process.pid}`;
  writeFileSync(fresh, after, before === null ? {} : { mode: statSync(place).mode });
  renameSync(fresh, place);
}

function changeLines({ file, path, before, after }: Change): readonly Line[] {
  const head = line(as('bold', file.path), muted(` · ${file.purpose}`));
  if (before === after) return [head, line(muted('  as it should be'))];
  const rows = createPatch(path, before ?? '', after, '', '', { context: 2 })
    .split('\n')
    .slice(4);
  return [
    head,
    ...rows
      .filter((row) => row !== '' && !row.startsWith('\\') && !row.startsWith('@@'))
      .map((row) => line('  ', ...diffRow(row))),
  ];
}
