import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { BenchWorld } from '../bench-world.ts';
import { openEvidence } from '../evidence/evidence-log.ts';
import { BenchOptions } from '../plan/bench-options.ts';
import { openBenchRuntime } from '../runtime/open-bench-runtime.ts';

/** Configuration of a process that coordinates for a bench. */
const NodeFile = z.strictObject({
  options: BenchOptions,
  redis: z.strictObject({ url: z.string(), volatile: z.boolean() }).nullable(),
  /** Absolute. */
  workspace: z.string(),
  /** Absolute. */
  evidenceFile: z.string(),
});
type NodeFile = z.infer<typeof NodeFile>;

/** The line that a member prints on standard output, as JSON, when it can be called. */
export const NodeStarted = z.object({ event: z.literal('member.started'), url: z.string() });
export type NodeStarted = z.infer<typeof NodeStarted>;

/** Writes the file readable by the owner only, since the URL of the Redis may hold a password; returns its path. */
export function writeNodeFile(folder: string, content: NodeFile): string {
  const file = join(folder, 'member.json');
  writeFileSync(file, JSON.stringify(content), { mode: 0o600 });
  return file;
}

/** Coordinates for a bench until `stopped`, alone or as one of several processes on one Redis. It may be killed. */
export async function runNode(
  file: string,
  world: Pick<BenchWorld, 'openRuntime'>,
  { onStarted, stopped }: Readonly<{ onStarted: (event: NodeStarted) => void; stopped: Promise<unknown> }>,
): Promise<void> {
  const { options, evidenceFile, ...location } = NodeFile.parse(JSON.parse(await readFile(file, 'utf8')));
  const evidence = openEvidence(evidenceFile);
  try {
    const runtime = await openBenchRuntime(options, { ...location, evidence, world });
    try {
      // Fails if Redis is killed meanwhile: then this process must end too.
      const { url } = await runtime.openServer();
      onStarted({ event: 'member.started', url });
      await stopped;
    } finally {
      await runtime.close();
    }
  } finally {
    evidence.close();
  }
}
