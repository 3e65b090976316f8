import type { Line } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import { whyNoAnswer } from './approval-pane.ts';
import type { FrameData } from './frame-data.ts';
import { helpRows } from './help-rows.ts';
import { coverPane } from './panes.ts';
import { wholeQuestion } from './question-pane.ts';
import { canAnswer } from './watch-state.ts';
import type { KeyFacts } from './watch-ui.ts';

/** The overlay over the lanes, in that many rows, and how far it scrolls; null if there is none. */
export function coverRows(
  { state, ui, question, prompt, answering }: FrameData,
  height: number,
  render: RenderContext,
): Readonly<{ rows: readonly Line[]; reach: KeyFacts['reach'] }> | null {
  const of = { scroll: ui.scroll, height };
  if (question !== null && (answering || ui.cover.kind === 'question')) {
    const below = answering || canAnswer(state) ? prompt : [whyNoAnswer(state, render)];
    return wholeQuestion(question, below, of, render);
  }
  switch (ui.cover.kind) {
    case 'help':
      return coverPane({ title: 'Keys', rows: helpRows(question) }, of, render);
    case 'text':
      return coverPane({ title: ui.cover.title, rows: ui.cover.lines }, of, render);
    case 'question':
    case 'none':
      return null;
  }
}
