import type { Context } from '../../runtime/contract/context.ts';
import { line, muted } from '../../terminal/line.ts';
import { createLiveRegion } from '../../terminal/live-region.ts';
import { createMeterLog } from './report/meter-log.ts';
import type { Sample } from './measure/create-meter.ts';
import type { BenchOptions } from './plan/bench-options.ts';
import { liveView } from './report/live-view.ts';

export type BenchScreen = Readonly<{
  sample(sample: Sample): void;
  /** What is done besides the run itself. */
  stage(says: string): void;
  close(): void;
}>;

/** The progress of a run: redrawn where that can be, else a line now and then. */
export function showBench(options: BenchOptions, context: Context): BenchScreen {
  if (!context.terminal.live || context.flags.json || context.flags.quiet) return createMeterLog(context);
  const region = createLiveRegion(context.draw, context.rendering);
  const samples: Sample[] = [];
  let isOpen = true;
  const draw = (says?: string): void => {
    if (!isOpen) return;
    region.frame([...liveView(samples, options), ...(says === undefined ? [] : [line(muted(says))])]);
  };
  draw();
  return {
    sample(sample) {
      samples.push(sample);
      draw();
    },
    stage: draw,
    close() {
      if (isOpen) region.clear();
      isOpen = false;
    },
  };
}
