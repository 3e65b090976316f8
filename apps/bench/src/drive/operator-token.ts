import { createTokenRegistry } from '@signalbox/server/access';
import type { BenchRuntime, BenchWorld } from '../bench-world.ts';

/** A token of an operator, who may call as any agent. */
export async function operatorToken(
  { facts }: Pick<BenchRuntime, 'facts'>,
  { clock, random }: Pick<BenchWorld, 'clock' | 'random'>,
): Promise<string> {
  const { token } = await createTokenRegistry({ facts, clock, random }).create({
    kind: 'made',
    name: 'bench',
    role: 'operator',
    provider: null,
    lifetimeMs: null,
  });
  return token;
}
