import { UnavailableError } from '@signalbox/core';
import { type Line, line, muted } from '../terminal/line.ts';
import { createLiveRegion } from '../terminal/live-region.ts';
import { type RenderContext, timeOfDay } from '../terminal/render-context.ts';
import { pause } from '../client/pause.ts';
import { errorView } from '../views/error-view.ts';
import type { Context } from '../runtime/contract/context.ts';
import { errorReport } from '../runtime/contract/error-report.ts';
import type { ExitCode } from '../runtime/contract/exit-code.ts';
import { untilInterrupted } from './until-interrupted.ts';

const POLL_EVERY_MS = 500;

/** An answer that is shown repeatedly. */
type Shown<Read> = Readonly<{
  read: () => Promise<Read>;
  json: (read: Read) => unknown;
  lines: (read: Read, render: RenderContext) => readonly Line[];
  /** Facts that make two answers differ; excludes passing time. */
  facts: (read: Read) => unknown;
}>;

/**
 * Shows the current state until Ctrl-C: on a terminal in its last rows, elsewhere printed again on each change. A read
 * error is shown instead, and the read is retried.
 */
export function keepShowing<Read>(shown: Shown<Read>, context: Screen): Promise<ExitCode> {
  const isScreen = context.terminal.live && context.terminal.stdout.tty && !context.flags.json;
  const show = isScreen ? inLastRows(shown, context) : whenOther(shown, context);
  return untilInterrupted(context, async (signal) => {
    const left = new Promise<null>((resolve) => {
      signal.addEventListener('abort', () => resolve(null));
    });
    try {
      while (!signal.aborted) {
        const read = await Promise.race([shown.read().catch(unavailable), left]);
        if (read !== null) show.next(read);
        await pause(POLL_EVERY_MS, context.clock, signal);
      }
    } finally {
      show.end();
    }
  });
}

type Screen = Pick<
  Context,
  | 'terminal'
  | 'flags'
  | 'clock'
  | 'interrupts'
  | 'answer'
  | 'print'
  | 'reportError'
  | 'draw'
  | 'rendering'
  | 'rows'
  | 'noticeRender'
>;

/** A context without messages, for repeated reads: a message of one read would be repeated by each. */
export function quiet(context: Context): Context {
  return { ...context, say: () => undefined, tell: () => undefined };
}

/** @throws an error that is not temporary */
function unavailable(error: unknown): UnavailableError {
  if (error instanceof UnavailableError) return error;
  throw error;
}

type Showing<Read> = Readonly<{ next(read: Read | UnavailableError): void; end(): void }>;

function whenOther<Read>({ json, lines, facts }: Shown<Read>, context: Screen): Showing<Read> {
  let last = '';
  return {
    next(read) {
      const isError = read instanceof UnavailableError;
      const now = JSON.stringify(isError ? [read.message] : facts(read));
      if (now === last) return;
      last = now;
      if (isError) context.reportError(read);
      else
        context.answer({
          json: () => json(read),
          lines: (render) => [line(muted(timeOfDay(render.now, render))), ...lines(read, render)],
        });
    },
    end: () => undefined,
  };
}

/** The last answer stays on the screen at the end. */
function inLastRows<Read>({ lines }: Shown<Read>, context: Screen): Showing<Read> {
  const region = createLiveRegion(context.draw, context.rendering);
  let last: readonly Line[] = [];
  return {
    next(read) {
      const isError = read instanceof UnavailableError;
      const render = context.noticeRender();
      last = isError
        ? errorView(errorReport(read), context.flags.verbose, { width: render.width })
        : lines(read, render);
      region.frame(last.slice(0, context.rows() - 1));
    },
    end() {
      region.clear();
      context.print(last);
    },
  };
}
