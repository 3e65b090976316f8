import { createInterface } from 'node:readline';
import type { Clock } from '@signalbox/core';
import { sendSignal, startProcess } from '@signalbox/sandbox/process';
import * as z from 'zod';
import { plainEnv } from '../../terminal/plain-env.ts';

export type StartAttempt =
  | Readonly<{ kind: 'answered'; tools: readonly string[]; tookMs: number }>
  | Readonly<{ kind: 'failed'; why: string }>;

type Options = Readonly<{
  /** The workspace, where the agent starts it. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Pick<Clock, 'timer' | 'monotonic'>;
  /** Default: the minute that agents allow. */
  patienceMs?: number;
}>;

const Answer = z.looseObject({
  id: z.number(),
  result: z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })).optional() }),
});

const HANDSHAKE = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'signalbox connect', version: '1' },
    },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
];
const KEPT_CHARACTERS = 2000;

/** Starts Signalbox with the line from the agent's settings, and lists its tools. */
export async function tryStarter(argv: readonly string[], options: Options): Promise<StartAttempt> {
  const { cwd, env, clock, patienceMs = 60_000 } = options;
  const startedAt = clock.monotonic();
  const started = startProcess({
    argv: ['/usr/bin/env', '--', ...argv],
    cwd,
    env: plainEnv(env),
    descriptors: ['pipe', 'pipe', 'pipe'],
  });
  const [input, output, errors] = started.streams;
  let stderr = '';
  errors?.on('data', (chunk: Buffer) => (stderr = `${stderr}${chunk.toString()}`.slice(-KEPT_CHARACTERS)));
  const stop = (): void => void (started.pid !== undefined && sendSignal(-started.pid, 'SIGTERM'));
  let isLate = false;
  const cancel = clock.timer(patienceMs, () => {
    isLate = true;
    stop();
  });
  try {
    input?.on('error', () => undefined);
    if (input !== null && input !== undefined && 'write' in input)
      for (const message of HANDSHAKE) input.write(`${JSON.stringify(message)}\n`);
    const tools =
      output === null || output === undefined || !('read' in output) ? null : await toolsIn(output);
    if (tools !== null) return { kind: 'answered', tools, tookMs: clock.monotonic() - startedAt };
    await started.ended;
    const words = stderr.trim().split('\n').slice(-3).join('; ');
    return {
      kind: 'failed',
      why: isLate
        ? `it did not answer within ${patienceMs / 1000} s`
        : words === ''
          ? 'it exited immediately'
          : words,
    };
  } finally {
    cancel();
    if (input !== null && input !== undefined && 'end' in input) input.end();
    stop();
    await started.ended;
  }
}

/** Null if it exits before it has listed them. */
async function toolsIn(output: NodeJS.ReadableStream): Promise<readonly string[] | null> {
  for await (const row of createInterface({ input: output })) {
    const answer = Answer.safeParse(jsonOf(row)).data;
    if (answer?.id === 2) return answer.result.tools?.map(({ name }) => name) ?? [];
  }
  return null;
}

function jsonOf(row: string): unknown {
  try {
    return JSON.parse(row) as unknown;
  } catch {
    return null;
  }
}
