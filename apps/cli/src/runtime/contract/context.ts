import type { Clock, Logger, RandomBytes } from '@signalbox/core';
import type { RuntimeEntry } from './runtime.ts';
import type { Keyboard } from '../../terminal/keyboard.ts';
import type { Line } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import type { Rendering } from '../../terminal/render.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { GlobalFlags } from './global-flags.ts';
import type { Interrupts } from './interrupts.ts';

/** The environment of a subcommand. */
export type Context = Readonly<{
  flags: GlobalFlags;
  terminal: Terminal;
  /** The workspace that contains `cwd`, absolute. */
  directory: string;
  /**
   * The user's folder, absolute: `-C`, or where the process was started. Paths that the user gives are relative to it.
   */
  cwd: string;
  /** Where the process was started, absolute; `-C` does not change it. */
  startedIn: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  random: RandomBytes;
  log: Logger;
  /** The account that started the process. */
  user: string;
  interrupts: Interrupts;
  keyboard: Keyboard;
  entry: RuntimeEntry;
  /** How lines for standard output are rendered now. */
  render(): RenderContext;
  /** The answer on standard output: JSON with `--json`, lines otherwise. */
  answer(answer: Readonly<{ json: () => unknown; lines: (render: RenderContext) => readonly Line[] }>): void;
  /** Lines of the answer on standard output; prints nothing with `--json`. */
  print(lines: readonly Line[]): void;
  /** The same, or a text known to be harmless, through a pager if it is longer than the screen of a terminal. */
  page(answer: readonly Line[] | string): Promise<void>;
  /** One JSON value on one line of standard output; prints nothing without `--json`. */
  json(value: unknown): void;
  /** Raw text for scripts and exports. The caller knows that it is harmless or does not go to a terminal. */
  write(text: string): void;
  /** Information on standard error; silent with `-q`. */
  say(lines: readonly Line[]): void;
  /** Questions and warnings on standard error; never silent. */
  tell(lines: readonly Line[]): void;
  /** How lines for standard error are rendered now. */
  noticeRender(): RenderContext;
  /** Writes the live region: bytes to standard error. */
  draw(bytes: string): void;
  readStdin(): Promise<string>;
  /** A typed line, for terminals without single-key input; null at the end of input. */
  askLine(question: string, signal: AbortSignal): Promise<string | null>;
  /** Reports an error that does not end the subcommand, and returns its exit code. */
  reportError(error: unknown): number;
  /** Current height of the screen, in rows. */
  rows(): number;
  /** How lines of the live region become bytes now. */
  rendering(): Rendering;
}>;
