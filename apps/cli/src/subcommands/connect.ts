import { readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { type Agent, AGENT_IDS, type AgentId, agentOf } from '../connect/agents.ts';
import { dropReceipt, keepReceipt, readReceipt } from '../connect/receipts.ts';
import { connected, disconnected, type PlannedFile } from '../connect/settings-text.ts';
import { type Tried, tryStarter } from '../connect/try-starter.ts';
import { askYes } from '../frame/ask-yes.ts';
import type { Context } from '../frame/context.ts';
import { defineSubcommand } from '../frame/define-subcommand.ts';
import { EXIT } from '../frame/exit-code.ts';
import { quoteWord } from '../frame/quote-word.ts';
import { refuseInsideCommand } from '../frame/with-remote.ts';
import { as, type Line, line, muted } from '../screen/line.ts';
import { duration } from '../screen/look.ts';
import { writeWhole } from '../settings/write-whole.ts';
import { fileChangeView } from '../views/file-change-view.ts';

/** Folders of agents are as readable as the files in them. */
const FOLDER_MODE = 0o755;

/** `signalbox connect claude-code`: an agent works through Signalbox from its next start on; `--undo` takes that back. */
export const connect = defineSubcommand({
  name: 'connect',
  args: z.object({
    agent: z.enum(AGENT_IDS),
    write: z.boolean().default(false),
    print: z.boolean().default(false),
    undo: z.boolean().default(false),
    keepTools: z.boolean().default(false),
    command: z.string().min(1).optional(),
  }),
  async run({ agent: id, write, print, undo, keepTools, command }, context) {
    refuseInsideCommand(context, 'change the settings of an agent');
    const [program = 'signalbox', ...args] = wordsOf(command ?? '');
    const agent = agentOf(id, { command: program, args, keepsTools: keepTools });
    const known = readReceipt(context.directory, id);
    const present = agent.files.map((file) => ({ file, before: textOf(join(context.directory, file.path)) }));
    // Without a word on what we wrote, what equals ours is ours, unless we are not even named there.
    const isNamed = present[0]?.before?.includes('signalbox') === true;
    const planned = present.map(({ file, before }) =>
      undo
        ? disconnected(file, before, isNamed ? known?.[file.path] : (known?.[file.path] ?? []))
        : connected(file, before, known?.[file.path] ?? []),
    );
    const isSame = planned.every(({ before, after }) => before === after);
    context.print(planned.flatMap(changeLines));
    const written = !isSame && !print && (write || (await askYes('Write this?', context)));
    if (written) put(planned, { id, undo }, context.directory);
    context.say(verdict({ agent, undo, isSame, written, keepTools }));
    const isTried = !undo && !print && (written || isSame);
    const tried = isTried ? await trial([program, ...args, 'mcp', '--provider', id], context) : null;
    context.json({
      agent: id,
      written,
      undone: undo && written,
      verified: tried === null ? null : tried.kind === 'answered',
      files: planned.map(({ file: { path, purpose }, before, after }) => ({
        path,
        purpose,
        changed: before !== after,
        after,
      })),
      notes: undo ? [] : agent.notes,
    });
    return tried?.kind === 'failed' ? EXIT.unavailable : EXIT.ok;
  },
});

/** Quotes hold a word together, such as a path with a space. */
function wordsOf(typed: string): readonly string[] {
  return [...typed.matchAll(/'([^']*)'|"([^"]*)"|\S+/g)].map(
    ([word, single, double]) => single ?? double ?? word,
  );
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new UsageError('agent-file', `Cannot read "${path}"`, { cause: error });
  }
}

function changeLines({ file: { path, purpose }, before, after }: PlannedFile): readonly Line[] {
  return fileChangeView({ name: path, purpose, before, after });
}

function put(
  planned: readonly PlannedFile[],
  { id, undo }: { readonly id: AgentId; readonly undo: boolean },
  workspace: string,
): void {
  // Known before it is done: what was cut short can be taken back too.
  if (!undo)
    keepReceipt(workspace, id, Object.fromEntries(planned.map(({ file, changes }) => [file.path, changes])));
  for (const { file, before, after } of planned) {
    const path = join(workspace, file.path);
    if (after === null) removeFile(path, workspace);
    else if (after !== before) writeWhole(path, after, FOLDER_MODE);
  }
  if (undo) dropReceipt(workspace, id);
}

/** With the folders of the workspace in which nothing else is. */
function removeFile(path: string, workspace: string): void {
  rmSync(path, { force: true });
  try {
    for (let folder = dirname(path); folder !== workspace; folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // Something else is in it.
  }
}

function verdict(told: {
  readonly agent: Agent;
  readonly undo: boolean;
  readonly isSame: boolean;
  readonly written: boolean;
  readonly keepTools: boolean;
}): readonly Line[] {
  const { agent, undo, isSame, written, keepTools } = told;
  const unwritten = line(muted('Nothing was written: --write does'));
  if (undo) {
    if (isSame) return [line(muted(`Nothing of Signalbox stands in the settings of ${agent.name}`))];
    return [
      written ? line(as('ok', `${agent.name} works without Signalbox from its next start on`)) : unwritten,
    ];
  }
  const done = isSame ? 'already' : 'from its next start on';
  const notes = [
    ...agent.notes,
    ...(keepTools
      ? ['It keeps its own tools: what it does with them is not judged, recorded or undone']
      : []),
  ];
  return [
    written || isSame ? line(as('ok', `${agent.name} works through Signalbox ${done}`)) : unwritten,
    ...notes.map((note) => line(as('warn', 'note '), note)),
  ];
}

/** Starts it once as the agent will, and says what came of that. */
async function trial(argv: readonly string[], context: Context): Promise<Tried> {
  const tried = await tryStarter(argv, { ...context, cwd: context.directory });
  const again = `signalbox connect ${argv.at(-1) ?? ''} --write`;
  const shown = muted(` · ${argv.map(quoteWord).join(' ')}`);
  context.tell(
    tried.kind === 'answered'
      ? [line(as('ok', '✓ tried'), `: ${tried.tools.length} tools after ${duration(tried.tookMs)}`, shown)]
      : [
          line(as('danger', '✗ tried'), ': it does not start', shown),
          line('  ', muted('why   '), tried.why),
          line('  ', muted('next  '), as('accent', `${again} --command /path/to/bin/signalbox`)),
        ],
  );
  return tried;
}
