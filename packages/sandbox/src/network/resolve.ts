import { lookup } from 'node:dns/promises';
import type { Resolve } from './admission.ts';

/** Resolves with the machine's resolver, like every program on it. */
export const resolveByMachine: Resolve = async (name) => {
  try {
    const found = await lookup(name, { all: true });
    return found.map(({ address }) => address);
  } catch {
    return [];
  }
};
