import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { RedisAddress } from '../../../runtime/workspace/redis-address.ts';
import { BenchOptions } from '../plan/bench-options.ts';

/** What a process that coordinates for a bench must know. */
export const MemberOrder = z.strictObject({
  options: BenchOptions,
  /** Its URL may hold a password. */
  redis: RedisAddress,
  /** Absolute, as in `BenchGround`. */
  workspace: z.string(),
  log: z.string(),
});
export type MemberOrder = z.infer<typeof MemberOrder>;

/** Writes it for the owner alone; answers where. */
export function leaveOrder(folder: string, order: MemberOrder): string {
  const file = join(folder, 'member.json');
  writeFileSync(file, JSON.stringify(order), { mode: 0o600 });
  return file;
}

export async function readOrder(file: string): Promise<MemberOrder> {
  return MemberOrder.parse(JSON.parse(await readFile(file, 'utf8')));
}
