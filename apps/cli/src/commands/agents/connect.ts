import { readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '@signalbox/core';
import * as z from 'zod';
import { CHECKOUT } from '../../runtime/contract/checkout.ts';
import {
  type Agent,
  AGENT_IDS,
  AGENT_TOKEN,
  type AgentFile,
  type AgentId,
  agentOf,
  type AgentTransport,
} from './agents.ts';
import { keepFromGit } from './keep-from-git.ts';
import { dropReceipt, keepReceipt, readReceipt, type Receipt } from '../../runtime/workspace/receipts.ts';
import { connected, disconnected, type PlannedFile } from './settings-text.ts';
import { tryTransport } from './try-transport.ts';
import { askYes, canAsk } from '../../live/ask-yes.ts';
import { clientAt } from '../../client/client-at.ts';
import { findCoordinator } from '../../client/find-coordinator.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { writeWhole } from '../../runtime/workspace/write-whole.ts';
import { fileChangeView } from '../../views/command/file-change-view.ts';
import { notSetUp } from '../../runtime/workspace/not-set-up.ts';

/** Agents' folders are as readable as the files in them. */
const FOLDER_MODE = 0o755;

/** `signalbox connect claude-code`: routes an agent through Signalbox from its next start on; `--undo` reverts that. */
export const connect = defineSubcommand({
  name: 'connect',
  args: z.object({
    agent: z.enum(AGENT_IDS),
    write: z.boolean().default(false),
    print: z.boolean().default(false),
    undo: z.boolean().default(false),
    keepTools: z.boolean().default(false),
    command: z.string().min(1).optional(),
    http: z.boolean().default(false),
    url: z.url({ error: 'must be a URL such as http://127.0.0.1:4180' }).optional(),
    local: z.boolean().default(false),
  }),
  async run({ agent: id, write, print, undo, keepTools, command, http, url, local }, context) {
    refuseInsideCommand(context, 'change the settings of an agent');
    const { directory } = context;
    const known = readReceipt(directory, id);
    const transport =
      http || url !== undefined
        ? serverAt(url ?? (undo ? USUAL_SERVER : await fixedAddress(id, context)))
        : starterOf(command, directory);
    const wanted = agentOf(id, transport, { keepsTools: keepTools, isLocal: local });
    const other = agentOf(id, transport, { keepsTools: keepTools, isLocal: !local });
    // Content of the other kind of file is removed; without a receipt, either may be ours.
    const others = other.files.filter(
      ({ path }) =>
        wanted.files.every((file) => file.path !== path) && (known === undefined ? undo : path in known),
    );
    const planned = [...wanted.files, ...others].map((file) =>
      plan(file, { directory, known, takesOut: undo || others.includes(file) }),
    );
    const isSame = planned.every(({ before, after }) => before === after);
    context.print(planned.flatMap(changeLines));
    const written =
      !isSame && !print && (write || (await askYes(undo ? 'Remove this?' : 'Write this?', context)));
    if (written) put(planned, directory, { id, undo });
    const privacy = await keepFromGit(planned, {
      applies: written || (isSame && !print),
      local: local && !undo,
      directory,
    });
    const agent = { ...wanted, notes: [...wanted.notes, ...transportNotes(id, transport), ...privacy] };
    const changed = planned.flatMap(({ file, before, after }) => (before === after ? [] : [file.path]));
    context.say(verdict({ agent, undo, changed, written, keepTools, local }));
    if (!undo) context.say(notSetUp(directory));
    const isTried = !undo && !print && (written || isSame);
    const tried = isTried ? await tryTransport(id, transport, context) : null;
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
    if (tried?.kind === 'failed') return EXIT.unavailable;
    const isUnasked = !isSame && !print && !write && !canAsk(context);
    return isUnasked ? EXIT.needsApproval : EXIT.ok;
  },
});

/** By default this very program in this workspace; the user's own line is used as given. */
function starterOf(command: string | undefined, directory: string): AgentTransport {
  const words = command === undefined ? [...ownProgram(), '-C', directory] : wordsOf(command);
  const [program = 'signalbox', ...args] = words;
  return { kind: 'stdio', command: program, args };
}

const USUAL_SERVER = 'http://127.0.0.1:4180';

function serverAt(base: string): AgentTransport {
  return { kind: 'http', url: base.endsWith('/mcp') ? base : new URL('/mcp', base).href };
}

/**
 * The address at which the current coordinator will also listen after its next start. Any other port will belong to
 * another program one day, which would then receive the agent's token.
 */
async function fixedAddress(id: AgentId, context: Context): Promise<string> {
  const what = `connect ${id} over HTTP`;
  const found = await findCoordinator(context, what);
  const { ports, fixedPorts } =
    found === null ? { ports: [], fixedPorts: [] } : await clientAt(found.access).getCoordinator();
  const [fixed] = fixedPorts;
  if (fixed !== undefined) return fixed;
  const why =
    ports.length === 0
      ? 'no server listens on a port for this workspace'
      : `${ports.join(', ')} closes with the coordinator: another program that listens there later would get the agent’s token`;
  throw new UsageError('no-fixed-port', `Cannot ${what}: its server has no fixed address`, {
    why: [why],
    next: [
      'signalbox serve --port 4180   then run this again',
      `signalbox connect ${id} --url http://127.0.0.1:PORT   if you know that this address stays the same`,
    ],
  });
}

function plan(
  file: AgentFile,
  {
    directory,
    known,
    takesOut,
  }: Readonly<{ directory: string; known: Receipt | undefined; takesOut: boolean }>,
): PlannedFile {
  const before = textOf(join(directory, file.path));
  if (!takesOut) return connected(file, before, { known: known?.[file.path] ?? [] });
  // Without a receipt, content equal to ours is ours, unless the file does not even name us.
  const isNamed = before?.includes('signalbox') === true;
  return disconnected(file, before, { known: isNamed ? known?.[file.path] : (known?.[file.path] ?? []) });
}

function transportNotes(id: AgentId, transport: AgentTransport): readonly string[] {
  if (transport.kind === 'stdio') return [];
  return [
    `It reads its access token ${id === 'vscode' ? 'from you, once' : `from ${AGENT_TOKEN}`}: signalbox token create --role provider --provider ${id}`,
  ];
}

/** Quotes keep a word together, such as a path with a space. */
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
  workspace: string,
  { id, undo }: { readonly id: AgentId; readonly undo: boolean },
): void {
  // Recorded before writing: an interrupted run can be reverted too.
  if (!undo)
    keepReceipt(
      workspace,
      id,
      Object.fromEntries(
        planned.filter(({ changes }) => changes.length > 0).map(({ file, changes }) => [file.path, changes]),
      ),
    );
  for (const { file, before, after } of planned) {
    const path = join(workspace, file.path);
    if (after === null) removeFile(path, workspace);
    else if (after !== before) writeWhole(path, after, { folderMode: FOLDER_MODE });
  }
  if (undo) dropReceipt(workspace, id);
}

/** Also removes folders of the workspace that become empty. */
function removeFile(path: string, workspace: string): void {
  rmSync(path, { force: true });
  try {
    for (let folder = dirname(path); folder !== workspace; folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // The folder is not empty.
  }
}

function verdict(reported: {
  readonly agent: Agent;
  readonly undo: boolean;
  /** Paths of the changed files, or of those that would change. */
  readonly changed: readonly string[];
  readonly written: boolean;
  readonly keepTools: boolean;
  readonly local: boolean;
}): readonly Line[] {
  const { agent, undo, changed, written, keepTools, local } = reported;
  const isSame = changed.length === 0;
  if (undo) {
    if (isSame) return [line(muted(`The settings of ${agent.name} contain nothing from Signalbox`))];
    if (written) return [line(as('ok', `${agent.name} will work without Signalbox from its next start`))];
    return [
      line(muted('Nothing was written. --write removes Signalbox from '), changed.join(', '), muted(':')),
      line('  ', as('accent', `signalbox connect ${agent.id}${local ? ' --local' : ''} --undo --write`)),
    ];
  }
  const done = isSame ? 'already works through Signalbox' : 'will work through Signalbox from its next start';
  const notes = [
    ...agent.notes,
    ...(keepTools
      ? ['It keeps its own tools: calls to them are not checked or recorded, and can’t be undone']
      : []),
  ];
  return [
    written || isSame
      ? line(as('ok', `${agent.name} ${done}`))
      : line(muted('Nothing was written. --write adds Signalbox to '), changed.join(', ')),
    ...notes.map((note) => line(as('warn', 'note '), note)),
  ];
}

/**
 * How to start this program from anywhere: all paths absolute, including Node.js, since an editor started from an icon
 * does not have a shell's PATH.
 */
function ownProgram(): readonly [command: string, ...args: string[]] {
  // In a checkout by its launcher, which installs updated dependencies.
  return CHECKOUT === null
    ? [process.execPath, join(import.meta.dirname, 'main.js')]
    : [process.execPath, join(CHECKOUT, 'scripts/run.mjs'), 'signalbox'];
}
