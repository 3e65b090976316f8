import { cutMiddle, lineCells } from '../../../terminal/cells.ts';
import { idLabel } from '../../../terminal/id-labels.ts';
import { type Line, line } from '../../../terminal/line.ts';
import type { RenderContext } from '../../../terminal/render-context.ts';
import { isWholeInPane } from './approval-pane.ts';
import type { FrameData } from './frame-data.ts';
import { commandOf, type ShownLane } from './lane-list.ts';
import { paneRule } from './panes.ts';
import { questionRows } from './question-pane.ts';
import { outputRows } from './side-panes.ts';

type PaneSize = Readonly<{
  height: number;
  /** Width of the pane that shows the open approval in short. */
  questionWidth: number;
}>;

/** The end of the output of the selected lane's command. */
export function outputPane(
  data: FrameData,
  shown: ShownLane | undefined,
  { size, render }: Readonly<{ size: PaneSize; render: RenderContext }>,
): readonly Line[] {
  const { state } = data;
  const command = shown === undefined ? null : commandOf(shown);
  if (command === null) return emptyPane(data, size, render);
  const isRunning = command.state === 'running';
  const tail = state.outputs.get(command.id);
  if (tail === undefined && data.question !== null) return emptyPane(data, size, render);
  const skipped = tail !== undefined && tail.skipped > 0 ? `${tail.skipped} rows skipped · ` : '';
  const note = `${skipped}${isRunning ? 'following' : 'o full output'}`;
  const name = `Output ${idLabel(command.id, render)} ${command.provider}`;
  const room = render.width - lineCells(line(name, note)) - 12;
  return [
    paneRule(`${name} ${cutMiddle(command.title, Math.max(0, room))}`, note, { width: render.width }),
    ...outputRows({ tail, command, modelText: shown?.lane.session?.says ?? '' }, size.height - 1, render),
  ];
}

/** Without output to show, the open approval gets the space. */
function emptyPane(
  data: FrameData,
  { height, questionWidth }: PaneSize,
  render: RenderContext,
): readonly Line[] {
  const { question } = data;
  const isWhole = question !== null && isWholeInPane(question, { ...render, width: questionWidth });
  const asked = questionRows(data, { height: height - 1, isWhole }, render);
  if (asked === null) return [paneRule('Output', '', { width: render.width })];
  const word = question?.record.approval?.question === undefined ? 'Approval' : 'Question';
  return [paneRule(`${word} in detail`, 'v whole screen', { width: render.width }), ...asked];
}
