import { resolve } from 'node:path';
import { createSeededRandom } from '@signalbox/core/testing';
import { createSystemClock } from '@signalbox/embedded';
import { onTestFinished } from 'vitest';
import { type OpenCoordinator, openCoordinator } from '../commands/serve/open-coordinator.ts';
import type { Context } from '../runtime/contract/context.ts';
import { entry } from '../program/runtime-entry.ts';
import { errorReport } from '../runtime/contract/error-report.ts';
import type { GlobalFlags } from '../runtime/contract/global-flags.ts';
import { parseCommandLine } from '../program/parse-command-line.ts';
import { loadSubcommand } from '../program/load-subcommand.ts';
import type { Key } from '../terminal/keyboard.ts';
import type { Line } from '../terminal/line.ts';
import type { RenderContext } from '../terminal/render-context.ts';
import { errorView } from '../views/error-view.ts';
import { findWorkspace } from '../runtime/workspace/find-workspace.ts';
import { configHomeOf } from './own-settings.ts';
import { screenText } from './screen-text.ts';
import { TEST_STATE } from './open-test-runtime.ts';

/** The result of a subcommand. */
export type TestRun = Readonly<{ exit: number; out: string; talk: string }>;

export type TestTerminal = Readonly<{
  /**
   * Runs a command line in a workspace, with the real coordinator; the terminal has no screen unless `keys` is given.
   */
  signalbox(...argv: readonly string[]): Promise<TestRun>;
  /** Ends the coordinator that a subcommand has started, as a shutdown of the machine does; the records stay. */
  stopCoordinator(): Promise<void>;
}>;

type TestWorld = Readonly<{
  env?: Readonly<Record<string, string>>;
  onAsked?: (press: (key: Key) => void, cursorAt: (column: number) => void) => void;
  onTalk?: (text: string) => void;
  onSay?: (text: string) => void;
  onPrint?: (text: string) => void;
  onPage?: () => void;
  onDraw?: (bytes: string) => void;
  interrupts?: Context['interrupts'];
  /** Content of standard input; default: empty. */
  stdin?: string;
  /** The user at the terminal; default `ana`. */
  user?: string;
  /** Typed when a line is prompted for; default: end of input. */
  typed?: (question: string) => string | null | Promise<string | null>;
  /** False: a terminal without single-key input, as for a screen reader. */
  singleKeys?: boolean;
  /** Default: the real ones. */
  entry?: Context['entry'];
}>;

/**
 * A terminal of 80 cells without colour, or a pipe.
 *
 * @param options `onAsked`: a terminal with single keys, which the callback presses; absent: no terminal at all.
 * `onTalk` receives warnings on standard error, `onSay` information there, `onPrint` the output, `onPage` that an
 * answer may go through a pager, `onDraw` the live screen's bytes.
 */
export function createTestTerminal(directory: string, options: TestWorld = {}): TestTerminal {
  const tty = options.onAsked !== undefined;
  return {
    async signalbox(...argv) {
      const line = parseCommandLine(argv);
      if (line.kind !== 'run' && line.kind !== 'bare') throw new Error(JSON.stringify(line));
      const { name, given } =
        line.kind === 'run'
          ? { name: line.row.name, given: line.given }
          : { name: 'status', given: { bare: true } };
      const printed = { out: '', talk: '' };
      const context = testContext(line.flags, { directory, tty, printed, ...options });
      const exit = await (
        await loadSubcommand(name)
      )
        .run(given, context)
        .catch((error: unknown) => context.reportError(error));
      return { exit, ...printed };
    },
    stopCoordinator: () => stopHere(findWorkspace(directory, {}).directory),
  };
}

/** Those that tests have opened, or are opening: a promise each, so that two terminals of one test share it. */
const openHere = new Map<string, Promise<OpenCoordinator>>();

/** A coordinator in the test's process, on a real socket, until it is stopped or the test ends. */
async function startHere(context: Context): Promise<void> {
  const { directory } = context;
  const known = openHere.get(directory);
  if (known !== undefined) return void (await known);
  const opening = openCoordinator(context);
  openHere.set(directory, opening);
  const forget = (): void => void openHere.delete(directory);
  const opened = await opening.catch((error: unknown) => {
    forget();
    throw error;
  });
  const closed = opened.ended.then(forget).then(opened.close);
  onTestFinished(async () => {
    forget();
    await opened.close();
  });
  closed.catch(() => undefined);
}

async function stopHere(directory: string): Promise<void> {
  const opened = await openHere.get(directory);
  openHere.delete(directory);
  await opened?.close();
}

function testContext(
  flags: GlobalFlags,
  world: TestWorld & Readonly<{ directory: string; tty: boolean; printed: { out: string; talk: string } }>,
): Context {
  const { printed, tty } = world;
  const clock = createSystemClock();
  const width = tty ? 80 : Infinity;
  const render = (): RenderContext => ({ width, now: clock.now(), utcOffsetMs: 0 });
  const text = (lines: readonly Line[]): string =>
    lines.map((line) => `${screenText([line], width)}\n`).join('');
  const nothing = (): void => undefined;
  const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => silent };
  const facts = { tty, colour: false, width };
  const env = {
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: configHomeOf(findWorkspace(world.directory, world.env ?? {}).directory),
    XDG_STATE_HOME: TEST_STATE,
    ...world.env,
  };
  const context: Context = {
    flags,
    terminal: {
      stdin: { tty, rawMode: tty },
      stdout: facts,
      stderr: facts,
      rows: 24,
      ascii: false,
      live: tty,
    },
    ...findWorkspace(resolve(world.directory, flags.directory ?? '.'), env),
    startedIn: world.directory,
    env,
    clock,
    random: createSeededRandom(Math.floor(performance.now() * 1000)),
    log: silent,
    user: world.user ?? 'ana',
    interrupts: world.interrupts ?? { listen: () => nothing, raise: nothing },
    keyboard: {
      available: tty && world.singleKeys !== false,
      listen(listener, onCursor = nothing) {
        world.onAsked?.(listener, onCursor);
        return nothing;
      },
    },
    entry: { ...(world.entry ?? entry), startCoordinator: () => startHere(context) },
    render,
    noticeRender: render,
    rows: () => 24,
    rendering: () => ({ colour: false, ascii: false, width }),
    answer({ json, lines }) {
      if (flags.json) context.json(json());
      else context.print(lines(render()));
    },
    print(lines) {
      if (!flags.json) printed.out += text(lines);
      world.onPrint?.(text(lines));
    },
    async page(answer) {
      world.onPage?.();
      if (typeof answer === 'string') context.write(answer);
      else context.print(answer);
    },
    json(value) {
      if (flags.json) printed.out += `${JSON.stringify(value)}\n`;
    },
    write(bytes) {
      printed.out += bytes;
      world.onPrint?.(bytes);
    },
    say(lines) {
      if (flags.quiet) return;
      printed.talk += text(lines);
      world.onSay?.(text(lines));
    },
    tell(lines) {
      printed.talk += text(lines);
      world.onTalk?.(text(lines));
    },
    draw(bytes) {
      printed.talk += bytes;
      world.onDraw?.(bytes);
    },
    readStdin: () => Promise.resolve(world.stdin ?? ''),
    askLine: (question) => Promise.resolve(world.typed?.(question) ?? null),
    reportError(error) {
      const report = errorReport(error);
      const reported = text(errorView(report, flags.verbose));
      printed.talk += reported;
      world.onTalk?.(reported);
      return report.exit;
    },
  };
  return context;
}
