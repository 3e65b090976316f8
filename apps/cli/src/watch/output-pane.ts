import type { CommandId } from '@signalbox/core';
import { cutMiddle, lineCells } from '../screen/cells.ts';
import { idLabel } from '../screen/id-labels.ts';
import { type Line, line } from '../screen/line.ts';
import type { Look } from '../screen/look.ts';
import type { FrameData } from './frame-data.ts';
import { commandOf, type ShownLane } from './lane-list.ts';
import { paneRule } from './panes.ts';
import { questionRows } from './question-pane.ts';
import { outputRows, runningOf } from './side-panes.ts';

/** The end of what the command of the selected lane prints. */
export function outputPane(
  data: FrameData,
  shown: ShownLane | undefined,
  height: number,
  look: Look,
): readonly Line[] {
  const { state } = data;
  const id: CommandId | null = shown === undefined ? null : commandOf(state, shown);
  if (shown === undefined || id === null) return emptyPane(data, height, look);
  const isRunning = runningOf(state).some((command) => command.id === id);
  const tail = state.outputs.get(id);
  if (tail === undefined && data.question !== null) return emptyPane(data, height, look);
  const skipped = tail !== undefined && tail.skipped > 0 ? `${tail.skipped} rows skipped · ` : '';
  const note = `${skipped}${isRunning ? 'following' : 'o full output'}`;
  const name = `Output ${idLabel(id, look)} ${shown.lane.provider}`;
  const title = shown.command?.title ?? state.lastOf.get(shown.lane.sessionId)?.title ?? '';
  const room = look.width - lineCells(line(name, note)) - 12;
  return [
    paneRule(`${name} ${cutMiddle(title, Math.max(0, room))}`, note, look.width),
    ...outputRows(tail, height - 1, isRunning, look),
  ];
}

/** Where no output is to be shown the open question has room. */
function emptyPane(data: FrameData, height: number, look: Look): readonly Line[] {
  const asked = questionRows(data, height - 1, look);
  if (asked === null) return [paneRule('Output', '', look.width)];
  return [paneRule('Approval in detail', 'v whole screen', look.width), ...asked];
}
