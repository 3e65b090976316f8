import type { Executor } from '@signalbox/core';
import type { Distribution } from './contract/backend.ts';

/**
 * What calls are judged by: whether their programs are confined, whether they can be undone, and what they hold alone.
 */
export type Strength = ReturnType<Distribution['needs']>;

export async function strengthOf(executor: Executor): Promise<Strength> {
  const found = await executor.isolation().catch(() => null);
  // Without a sandbox nothing runs, so an approval would be for a call that fails.
  if (found === null) return { sandboxed: true, transactional: false };
  const { layer, tracking, ownFolders = [] } = found;
  return {
    sandboxed: layer !== 'none',
    transactional: layer === 'overlay' && tracking.strength === 'enforced',
    ownFolders,
  };
}
