import { cutMiddle, lineCells } from '../../terminal/cells.ts';
import { idLabel } from '../../terminal/id-labels.ts';
import { type Line, line } from '../../terminal/line.ts';
import type { Look } from '../../terminal/look.ts';
import { isWholeInPane } from './approval-pane.ts';
import type { FrameData } from './frame-data.ts';
import { commandOf, type ShownLane } from './lane-list.ts';
import { paneRule } from './panes.ts';
import { questionRows } from './question-pane.ts';
import { outputRows } from './side-panes.ts';

type Place = Readonly<{
  height: number;
  /** Of the pane in which the open question stands in short. */
  questionWidth: number;
}>;

/** The end of what the command of the selected lane prints. */
export function outputPane(
  data: FrameData,
  shown: ShownLane | undefined,
  place: Place,
  look: Look,
): readonly Line[] {
  const { state } = data;
  const command = shown === undefined ? null : commandOf(shown);
  if (command === null) return emptyPane(data, place, look);
  const isRunning = command.state === 'running';
  const tail = state.outputs.get(command.id);
  if (tail === undefined && data.question !== null) return emptyPane(data, place, look);
  const skipped = tail !== undefined && tail.skipped > 0 ? `${tail.skipped} rows skipped · ` : '';
  const note = `${skipped}${isRunning ? 'following' : 'o full output'}`;
  const name = `Output ${idLabel(command.id, look)} ${command.provider}`;
  const room = look.width - lineCells(line(name, note)) - 12;
  return [
    paneRule(`${name} ${cutMiddle(command.title, Math.max(0, room))}`, note, look.width),
    ...outputRows({ tail, command, says: shown?.lane.session?.says ?? '' }, place.height - 1, look),
  ];
}

/** Where no output is to be shown the open question has room. */
function emptyPane(data: FrameData, { height, questionWidth }: Place, look: Look): readonly Line[] {
  const { question } = data;
  const isWhole = question !== null && isWholeInPane(question, { ...look, width: questionWidth });
  const asked = questionRows(data, { height: height - 1, isWhole }, look);
  if (asked === null) return [paneRule('Output', '', look.width)];
  return [paneRule('Approval in detail', 'v whole screen', look.width), ...asked];
}
