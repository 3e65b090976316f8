import { lookup } from 'node:dns/promises';
import type { Resolve } from './admission.ts';

/** Asks the machine's own name service, as every program of it does. */
export const resolveByMachine: Resolve = async (name) => {
  try {
    const found = await lookup(name, { all: true });
    return found.map(({ address }) => address);
  } catch {
    return [];
  }
};
