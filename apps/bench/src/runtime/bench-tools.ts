import { join } from 'node:path';
import { type ContentHash, defineTool, type Tool, type ToolContext, ToolFailure } from '@signalbox/core';
import * as z from 'zod';
import type { EvidenceLog } from '../evidence/evidence-log.ts';
import { type Counter, plainCounter } from './plain-counter.ts';

/** The tools that fake agents call, besides shell lines. */
export const BENCH_TOOLS = { read: 'bench_read', write: 'bench_write', asked: 'bench_asked' } as const;

/** Timeout of a command that hangs. */
const HANGS_FOR_MS = 200;

const Path = z.string().min(1).max(4096);

const ReadArguments = z.strictObject({
  key: z.int().min(0),
  path: Path,
  scope: z.enum(['file', 'tree']),
  workMs: z.number().min(0),
});

const WriteArguments = z.strictObject({
  key: z.int().min(0),
  path: Path,
  workMs: z.number().min(0),
  fate: z.enum(['works', 'fails', 'hangs', 'cancelled']),
});

export type BenchToolOptions = Readonly<{
  evidence: Pick<EvidenceLog, 'started' | 'ended'>;
  /** Absolute. */
  workspace: string;
  /**
   * Reads and writes files without the journal and the comparison of the file tools, which would hide a lost update.
   */
  bare: boolean;
}>;

/** Tools that write to the evidence log while their claims are held. */
export function benchTools(options: BenchToolOptions): readonly Tool[] {
  const { evidence } = options;

  async function countUp(
    { key, path, workMs, fate: plannedOutcome }: z.infer<typeof WriteArguments>,
    context: ToolContext,
  ): Promise<{ output: string }> {
    evidence.started(key);
    const counter = options.bare
      ? plainCounter(join(options.workspace, path))
      : countedFile(path, context.files);
    const count = await counter.read();
    await work(workMs, context);
    if (plannedOutcome === 'hangs') await untilStopped(context.signal);
    if (plannedOutcome === 'fails') throw failure('bench-failure', 'Cannot count: it is planned to fail');
    await counter.write(count + 1);
    evidence.ended(key, count + 1);
    return { output: `counted ${path} up to ${count + 1}` };
  }

  const write = defineTool({
    name: BENCH_TOOLS.write,
    description: 'Counts a file up by one',
    requestKind: 'file_write',
    category: 'system_write',
    risk: 'medium',
    args: WriteArguments,
    describe: ({ key, path }) => `${key} ${path}`,
    effects: ({ path }) => [{ kind: 'write', path, scope: 'file' }],
    requestedTimeoutMs: ({ fate: plannedOutcome }) => (plannedOutcome === 'hangs' ? HANGS_FOR_MS : undefined),
    handle: countUp,
  });
  const asked = { ...write, name: BENCH_TOOLS.asked, policy: 'requires_approval' } as const;
  const read = defineTool({
    name: BENCH_TOOLS.read,
    description: 'Reads a file, or looks through a folder',
    requestKind: 'file_read',
    category: 'read_only',
    risk: 'low',
    args: ReadArguments,
    describe: ({ key, path }) => `${key} ${path}`,
    effects: ({ path, scope }) => [{ kind: 'read', path, scope }],
    async handle({ key, path, scope, workMs }, context) {
      evidence.started(key);
      if (scope === 'tree') await context.files.list(path, { depth: 2, limit: 1000 });
      else await context.files.readText(path);
      await work(workMs, context);
      evidence.ended(key);
      return { output: path };
    },
  });
  return [read as Tool, write as Tool, asked as Tool];
}

function countedFile(path: string, files: ToolContext['files']): Counter {
  let hash: ContentHash | undefined;
  return {
    async read() {
      const file = await files.readText(path);
      hash = file.hash;
      return Number(file.text);
    },
    async write(count) {
      await files.write(path, `${count}\n`, { expected: hash ?? 'absent' });
    },
  };
}

async function work(workMs: number, { clock, signal }: ToolContext): Promise<void> {
  if (workMs === 0) return;
  await new Promise<void>((resolve, reject) => {
    const cancel = clock.timer(workMs, resolve);
    signal.addEventListener(
      'abort',
      () => {
        cancel();
        reject(stopped());
      },
      { once: true },
    );
  });
}

async function untilStopped(signal: AbortSignal): Promise<never> {
  if (!signal.aborted)
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  throw stopped();
}

function stopped(): ToolFailure {
  return failure('stopped', 'The command was stopped');
}

function failure(code: string, message: string): ToolFailure {
  return new ToolFailure({ code, category: code === 'stopped' ? 'Cancelled' : 'PermanentFailure', message });
}
