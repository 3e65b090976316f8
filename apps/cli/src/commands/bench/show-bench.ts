import { type BenchOptions, milliseconds, perSecond, type MeterSample } from '@signalbox/bench';
import type { Context } from '../../runtime/contract/context.ts';
import { line, muted } from '../../terminal/line.ts';
import { createLiveRegion } from '../../terminal/live-region.ts';
import { timer } from '../../terminal/render-context.ts';
import { liveView } from './live-view.ts';

export type BenchScreen = Readonly<{
  sample(sample: MeterSample): void;
  /** Announces a step besides the run itself. */
  step(text: string): void;
  close(): void;
}>;

/** The progress of a run: redrawn on a terminal, otherwise an occasional line. */
export function showBench(options: BenchOptions, context: Context): BenchScreen {
  if (!context.terminal.live || context.flags.json || context.flags.quiet) return printProgress(context);
  const region = createLiveRegion(context.draw, context.rendering);
  const samples: MeterSample[] = [];
  let isOpen = true;
  const draw = (text?: string): void => {
    if (!isOpen) return;
    region.frame([...liveView(samples, options), ...(text === undefined ? [] : [line(muted(text))])]);
  };
  draw();
  return {
    sample(sample) {
      samples.push(sample);
      draw();
    },
    step: draw,
    close() {
      if (isOpen) region.clear();
      isOpen = false;
    },
  };
}

const SAYS_EVERY_MS = 5000;

function printProgress({ say }: Pick<Context, 'say'>): BenchScreen {
  let saidAt = 0;
  return {
    sample({ atMs, answered, perSecond: rate, latencyMs }) {
      if (atMs - saidAt < SAYS_EVERY_MS) return;
      saidAt = atMs;
      const speed = `${perSecond(rate)}/s · p99 ${milliseconds(latencyMs.p99)}`;
      say([line(`${timer(atMs)} · ${answered} done · ${speed}`)]);
    },
    step: (text) => say([line(muted(text))]),
    close: () => undefined,
  };
}
