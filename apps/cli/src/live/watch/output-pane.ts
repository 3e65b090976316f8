import { cutMiddle, lineCells } from '../../terminal/cells.ts';
import { idLabel } from '../../terminal/id-labels.ts';
import { type Line, line } from '../../terminal/line.ts';
import type { Look } from '../../terminal/look.ts';
import type { FrameData } from './frame-data.ts';
import { commandOf, type ShownLane } from './lane-list.ts';
import { paneRule } from './panes.ts';
import { questionRows } from './question-pane.ts';
import { outputRows } from './side-panes.ts';

/** The end of what the command of the selected lane prints. */
export function outputPane(
  data: FrameData,
  shown: ShownLane | undefined,
  height: number,
  look: Look,
): readonly Line[] {
  const { state } = data;
  const command = shown === undefined ? null : commandOf(shown);
  if (command === null) return emptyPane(data, height, look);
  const isRunning = command.state === 'running';
  const tail = state.outputs.get(command.id);
  if (tail === undefined && data.question !== null) return emptyPane(data, height, look);
  const skipped = tail !== undefined && tail.skipped > 0 ? `${tail.skipped} rows skipped · ` : '';
  const note = `${skipped}${isRunning ? 'following' : 'o full output'}`;
  const name = `Output ${idLabel(command.id, look)} ${command.provider}`;
  const room = look.width - lineCells(line(name, note)) - 12;
  return [
    paneRule(`${name} ${cutMiddle(command.title, Math.max(0, room))}`, note, look.width),
    ...outputRows({ tail, command, says: shown?.lane.session?.says ?? '' }, height - 1, look),
  ];
}

/** Where no output is to be shown the open question has room. */
function emptyPane(data: FrameData, height: number, look: Look): readonly Line[] {
  const asked = questionRows(data, height - 1, look);
  if (asked === null) return [paneRule('Output', '', look.width)];
  return [paneRule('Approval in detail', 'v whole screen', look.width), ...asked];
}
