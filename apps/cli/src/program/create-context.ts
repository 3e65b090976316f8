import { hostname, userInfo } from 'node:os';
import { type Clock, silentLogger } from '@signalbox/core';
import type { RuntimeEntry } from '../runtime/contract/runtime.ts';
import { lineCells, wrap } from '../terminal/cells.ts';
import { createKeyboard, type Keyboard } from '../terminal/keyboard.ts';
import { type Line, line } from '../terminal/line.ts';
import type { RenderContext } from '../terminal/render-context.ts';
import { renderLine } from '../terminal/render.ts';
import { terminalFacts } from '../terminal/terminal.ts';
import type { FoundWorkspace } from '../runtime/workspace/find-workspace.ts';
import type { Context } from '../runtime/contract/context.ts';
import { EXIT } from '../runtime/contract/exit-code.ts';
import type { GlobalFlags } from '../runtime/contract/global-flags.ts';
import { createInterrupts } from '../runtime/contract/interrupts.ts';
import { pageOut } from '../live/page-out.ts';
import { visible } from '@signalbox/core/visible-text';
import { reportError } from './show-error.ts';

/** The context of a real process. */
export function createContext(
  host: NodeJS.Process,
  flags: GlobalFlags,
  { found, entry }: Readonly<{ found: FoundWorkspace; entry: RuntimeEntry }>,
): Context {
  const facts = () => terminalFacts(host, flags);
  const terminal = facts();
  const renderContext = (width: number): RenderContext => ({
    width,
    now: Date.now(),
    utcOffsetMs: -new Date().getTimezoneOffset() * 60_000,
  });
  const textOf = (stream: 'stdout' | 'stderr', lines: readonly Line[]): string => {
    // Nothing is cut here: the terminal wraps, and views know the width themselves.
    const rendering = { colour: terminal[stream].colour, ascii: terminal.ascii, width: Infinity };
    return lines.map((row) => `${renderLine(row, rendering)}\n`).join('');
  };
  const write = (stream: 'stdout' | 'stderr', lines: readonly Line[]): void => {
    if (lines.length > 0) host[stream].write(textOf(stream, lines));
  };
  const interrupts = createInterrupts(host, (exitCode) => host.exit(exitCode));
  const leaveAtTermination = (_: number, signal: 'SIGINT' | 'SIGTERM'): void => {
    if (signal === 'SIGTERM') host.exit(EXIT.terminated);
  };
  const print = (lines: readonly Line[]): void => {
    if (!flags.json) write('stdout', lines);
  };
  const json = (value: unknown): void => {
    if (flags.json) host.stdout.write(`${JSON.stringify(value)}\n`);
  };
  const render = (): RenderContext => renderContext(facts().stdout.width);
  let keyboard: Keyboard | undefined;
  return {
    flags,
    terminal,
    ...found,
    startedIn: host.cwd(),
    env: host.env,
    clock: systemClock,
    // Few subcommands need it, and it takes long to load.
    random: (length) => process.getBuiltinModule('node:crypto').randomBytes(length),
    // Log lines go to the workspace's own file, which `compose.ts` opens; the screen is for people.
    log: silentLogger,
    user: userName(),
    interrupts,
    get keyboard() {
      keyboard ??= createKeyboard(
        { input: host.stdin, output: host.stderr },
        flags.input && terminal.stdin.rawMode && terminal.live,
      );
      return keyboard;
    },
    entry,
    render,
    noticeRender: () => renderContext(facts().stderr.width),
    answer({ json: toJson, lines }) {
      if (flags.json) json(toJson());
      else print(lines(render()));
    },
    print,
    async page(answer) {
      if (flags.json) return;
      const lines =
        typeof answer === 'string'
          ? answer
              .split('\n')
              .slice(0, -1)
              .map((row) => line(row))
          : answer;
      const text = typeof answer === 'string' ? answer : textOf('stdout', lines);
      const ignoreInterrupts = (): (() => void) => interrupts.listen(leaveAtTermination);
      await pageOut(
        { text, fills: (rows, width) => fill(lines, { rows, width }), ignoreInterrupts },
        host,
        flags,
      );
    },
    json,
    write(text) {
      host.stdout.write(text);
    },
    say(lines) {
      if (!flags.quiet) write('stderr', lines);
    },
    tell(lines) {
      write('stderr', lines);
    },
    draw(text) {
      host.stderr.write(text);
    },
    rows: () => facts().rows,
    rendering() {
      const { stderr, ascii } = facts();
      return { colour: stderr.colour, ascii, width: stderr.width };
    },
    reportError: (error) => reportError(host, error, flags),
    async askLine(question, signal) {
      const { createInterface } = await import('node:readline/promises');
      const lines = createInterface({ input: host.stdin, output: host.stderr });
      try {
        return await lines.question(questionRows(visible(question), facts().stderr.width), { signal });
      } catch {
        return null;
      } finally {
        lines.close();
      }
    },
    async readStdin() {
      let text = '';
      host.stdin.setEncoding('utf8');
      for await (const chunk of host.stdin) text += String(chunk);
      return text;
    },
  };
}

/** Stops counting early: an answer may be long. */
function fill(lines: readonly Line[], { rows, width }: Readonly<{ rows: number; width: number }>): boolean {
  let taken = 0;
  for (const row of lines) {
    taken += Math.max(1, Math.ceil(lineCells(row) / width));
    if (taken >= rows) return true;
  }
  return false;
}

const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  timer(delayMs, callback) {
    const timeout = setTimeout(callback, delayMs);
    return () => {
      clearTimeout(timeout);
    };
  },
};

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `someone@${hostname()}`;
  }
}

/** A prompt in rows of at most that many cells, broken between words; the answer is typed after the last one. */
export function questionRows(question: string, width: number): string {
  const text = question.trimEnd();
  const rows = text.split('\n').flatMap((row) => wrap(row, width));
  return `${rows.join('\n')}${question.slice(text.length)}`;
}
