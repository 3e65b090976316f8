import type { Facts } from '@signalbox/core';
import * as z from 'zod';

const FACT = 'review-kept';
/** The newest are kept; an older mark belongs to a change that was committed, undone or overwritten. */
const MAX_KEYS = 1000;
/** Other coordinators write the same fact. */
const TRIES = 5;

const Keys = z.array(z.string()).catch([]);

/** Changes that people marked as kept in a review, oldest first; shared by all clients. */
export async function keptMarks(facts: Pick<Facts, 'get'>): Promise<readonly string[]> {
  return Keys.parse(await facts.get(FACT));
}

export async function addKeptMarks(
  facts: Pick<Facts, 'get' | 'compareAndSet'>,
  keys: readonly string[],
): Promise<readonly string[]> {
  for (let tries = 0; tries < TRIES; tries++) {
    const stored = await facts.get(FACT);
    const all = [...new Set([...Keys.parse(stored), ...keys])].slice(-MAX_KEYS);
    if (await facts.compareAndSet(FACT, { expected: stored, value: all })) return all;
  }
  return keptMarks(facts);
}
