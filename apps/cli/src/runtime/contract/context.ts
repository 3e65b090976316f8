import type { Clock, Logger, RandomBytes } from '@signalbox/core';
import type { RuntimeEntry } from './runtime.ts';
import type { Keyboard } from '../../terminal/keyboard.ts';
import type { Line } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import type { Rendering } from '../../terminal/render.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { GlobalFlags } from './global-flags.ts';
import type { Interrupts } from './interrupts.ts';

/** The world as a subcommand sees it. */
export type Context = Readonly<{
  flags: GlobalFlags;
  terminal: Terminal;
  /** The workspace, absolute: of where the person stands. */
  directory: string;
  /** Where the person stands, absolute: `-C`, or where we were started. Paths that they give are meant from here. */
  cwd: string;
  /** Where our process was started, absolute, whatever `-C` says. */
  startedIn: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  random: RandomBytes;
  log: Logger;
  /** The account that started us. */
  user: string;
  interrupts: Interrupts;
  keyboard: Keyboard;
  entry: RuntimeEntry;
  /** How lines for standard output look now. */
  render(): RenderContext;
  /** The answer, on standard output: as JSON with `--json`, else as lines. */
  answer(answer: Readonly<{ json: () => unknown; lines: (render: RenderContext) => readonly Line[] }>): void;
  /** Lines of the answer on standard output; nothing with `--json`. */
  print(lines: readonly Line[]): void;
  /** The same, or a text that is known to be harmless, through a pager where it is longer than the screen of a person. */
  page(answer: readonly Line[] | string): Promise<void>;
  /** One JSON value, one line of standard output; nothing without `--json`. */
  json(value: unknown): void;
  /** Text as it is, for scripts and exports; the caller knows it to be harmless, or not for a terminal. */
  write(text: string): void;
  /** The talk, on standard error; not with `-q`. */
  say(lines: readonly Line[]): void;
  /** Questions and warnings, on standard error, always. */
  tell(lines: readonly Line[]): void;
  /** How lines for standard error look now. */
  noticeRender(): RenderContext;
  /** What the live region is drawn with: bytes to standard error. */
  draw(bytes: string): void;
  readStdin(): Promise<string>;
  /** A typed line, for terminals without single keys; null when the input has ended. */
  askLine(question: string, signal: AbortSignal): Promise<string | null>;
  /** Tells of an error that does not end the subcommand as it would otherwise; answers the exit code it has. */
  tellError(error: unknown): number;
  /** Rows of the screen now. */
  rows(): number;
  /** How lines for the live region become bytes now. */
  rendering(): Rendering;
}>;
