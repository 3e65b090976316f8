import type { CommandRecord } from '@signalbox/core';
import type { Context } from '../runtime/contract/context.ts';
import { createLiveRegion } from '../terminal/live-region.ts';
import { createApprovalPrompter } from './approval-prompter.ts';
import type { ApprovalsClient } from '../client/approvals-client.ts';
import { fit } from '../terminal/cells.ts';
import { idLabel } from '../terminal/id-labels.ts';
import { as, type Line, line, muted } from '../terminal/line.ts';
import type { RenderContext } from '../terminal/render-context.ts';
import { askByLines } from './ask-by-lines.ts';

/** Prompts without lanes: for `exec` and `approve`. */
export type QuestionScreen = Readonly<{
  /** Reads the pending approvals and prompts for the first. */
  wake(): Promise<void>;
  /** Approvals postponed with Esc. */
  later(): number;
  /** A prompt is open for single keys, and not answered. */
  isAsking(): boolean;
  /** Like the context's; above the prompt if one is open. */
  say(lines: readonly Line[]): void;
  close(): void;
}>;

const FRAME_MS = 250;

/** Key by key if the terminal supports it, otherwise by typed lines. */
export function createQuestionScreen(options: {
  readonly context: Context;
  readonly approvals: ApprovalsClient;
  /** What the program does after Esc. Default: not shown. */
  readonly afterLater?: string;
}): QuestionScreen {
  const { context, approvals, afterLater } = options;
  const { clock, keyboard } = context;
  if (!keyboard.available) return lineScreen(options);
  const region = createLiveRegion(context.draw, context.rendering);
  let stopKeys: (() => void) | null = null;
  let cancelFrame = (): void => undefined;
  const prompter = createApprovalPrompter({
    approvals,
    clock,
    render: context.noticeRender,
    show: region.above,
    redraw: draw,
    onLater: (record) => region.above(stillPending(record, context.noticeRender(), { after: afterLater })),
    interrupt: context.interrupts.raise,
    bell: () => {
      context.draw('\x07');
    },
  });

  function draw(): void {
    const render = context.noticeRender();
    const rows = prompter.rows({ ...render, width: render.width - 1 });
    cancelFrame();
    if (rows.length === 0) {
      region.clear();
      stopKeys?.();
      stopKeys = null;
      return;
    }
    // Keys are read only while a prompt is open: a command may need the terminal otherwise.
    stopKeys ??= keyboard.listen(prompter.press);
    region.frame(rows);
    cancelFrame = clock.timer(FRAME_MS, draw);
  }

  return {
    wake: prompter.wake,
    later: prompter.later,
    isAsking: () => prompter.asked() !== null,
    say(lines) {
      if (stopKeys === null) context.say(lines);
      else if (!context.flags.quiet) region.above(lines);
    },
    close() {
      cancelFrame();
      prompter.close();
      stopKeys?.();
      stopKeys = null;
      region.clear();
    },
  };
}

/** For a postponed approval: nothing else shows why its command does not continue. */
function stillPending(
  { id, title, approval }: CommandRecord,
  render: RenderContext,
  { after }: Readonly<{ after?: string | undefined }> = {},
): readonly Line[] {
  const label = idLabel(id, render);
  const question = approval?.question;
  return [
    ...(question === undefined
      ? [
          fit(line(as('warn', '!'), ` ${label} needs approval: ${title}`), render.width),
          line('  ', as('accent', `signalbox approve ${label}`), muted(` · signalbox deny ${label}`)),
        ]
      : [
          fit(line(as('warn', '?'), ` ${label} is open: ${question.text}`), render.width),
          line('  ', as('accent', `signalbox answer ${label}`)),
        ]),
    ...(after === undefined ? [] : [line('  ', muted(after))]),
  ];
}

function lineScreen({
  context,
  approvals,
  afterLater,
}: Parameters<typeof createQuestionScreen>[0]): QuestionScreen {
  const over = new AbortController();
  let left = 0;
  let waking: Promise<void> = Promise.resolve();
  const { flags, terminal } = context;
  const asks = flags.input && !flags.json && terminal.stdin.tty && terminal.stderr.tty;
  async function askNext(): Promise<void> {
    const [next] = asks ? await approvals.pending() : [];
    if (next === undefined) return;
    if (await askByLines(next, { context, approvals, signal: over.signal })) return;
    left += 1;
    const isLeft = !over.signal.aborted && (await approvals.pending()).some(({ id }) => id === next.id);
    if (isLeft) context.tell(stillPending(next, context.noticeRender(), { after: afterLater }));
  }

  return {
    wake() {
      waking = waking.then(askNext);
      return waking;
    },
    later: () => left,
    isAsking: () => false,
    say: context.say,
    close() {
      over.abort();
    },
  };
}
