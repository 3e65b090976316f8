import type { CommandId } from '@signalbox/core';
import { cutMiddle, lineCells } from '../screen/cells.ts';
import { idLabel } from '../screen/id-labels.ts';
import { type Line, line } from '../screen/line.ts';
import type { Look } from '../screen/look.ts';
import type { FrameData } from './frame-data.ts';
import { commandOf, type ShownLane } from './lane-list.ts';
import { paneRule } from './panes.ts';
import { outputRows, runningOf } from './side-panes.ts';

/** The end of what the command of the selected lane prints. */
export function outputPane(
  { state }: FrameData,
  shown: ShownLane | undefined,
  height: number,
  look: Look,
): readonly Line[] {
  const id: CommandId | null = shown === undefined ? null : commandOf(state, shown);
  if (shown === undefined || id === null) return [paneRule('Output', '', look.width)];
  const isRunning = runningOf(state).some((command) => command.id === id);
  const tail = state.outputs.get(id);
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
