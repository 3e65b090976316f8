import type { CommandSummary } from '@signalbox/api';
import { visible } from '@signalbox/core/visible-text';

/** `bash npm test` as `npm test`: as a user would have typed it, without hidden characters. */
export function lineOf({ tool, title }: Pick<CommandSummary, 'tool' | 'title'>): string {
  return visible(tool === 'bash' && title.startsWith('bash ') ? title.slice('bash '.length) : title);
}

export type CommandPhase = 'running' | 'waiting' | 'person' | 'judged' | 'done';

/** Its signal aspect. */
export function phaseOf({ state }: Pick<CommandSummary, 'state'>): CommandPhase {
  switch (state) {
    case 'running':
      return 'running';
    case 'queued':
      return 'waiting';
    case 'awaiting_approval':
      return 'person';
    case 'submitted':
    case 'classified':
    case 'approved':
      return 'judged';
    case 'done':
      return 'done';
  }
}

/** Whether it ended in a way that deserves attention. */
export function needsAttention({ outcome }: Pick<CommandSummary, 'outcome'>): boolean {
  return outcome !== null && outcome !== 'completed' && outcome !== 'cancelled';
}
