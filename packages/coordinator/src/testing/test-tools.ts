import { type CommandId, defineTool, type Tool, ToolFailure } from '@signalbox/core';
import * as z from 'zod';

/** Tools whose handlers are controlled by a test. */
export type TestTools = {
  // oxlint-disable-next-line typescript/no-explicit-any -- a list of tools of every kind of arguments
  readonly list: readonly Tool<any>[];
  /** Commands whose handler waits to be released. */
  holding(): readonly CommandId[];
  /** Their process died: no waiting handler ever answers. */
  forget(): void;
  /** Lets the handler of that command answer. */
  release(id: CommandId): void;
  /** Commands whose handler was called, in order, once for each call. */
  readonly handled: readonly CommandId[];
};

const PathArgs = z.strictObject({ path: z.string() });

export function createTestTools(): TestTools {
  const held = new Map<CommandId, () => void>();
  const handled: CommandId[] = [];
  let flakes = 0;

  const echo = defineTool({
    name: 'echo',
    aliases: ['say'],
    description: 'Says it again',
    requestKind: 'other',
    category: 'internal',
    risk: 'low',
    args: z.strictObject({ text: z.string(), times: z.int().optional() }),
    describe: ({ text }) => text,
    effects: () => [],
    async handle({ text }, { commandId }) {
      handled.push(commandId);
      return { output: text };
    },
  });

  /** Writes its path, but only when it is released; a stop ends it. */
  const hold = defineTool({
    name: 'hold',
    description: 'Holds a path',
    requestKind: 'file_write',
    category: 'system_write',
    risk: 'medium',
    args: PathArgs,
    describe: ({ path }) => path,
    effects: ({ path }) => [{ kind: 'write', path, scope: 'file' }],
    async handle({ path }, { commandId, files, signal }) {
      handled.push(commandId);
      await new Promise<void>((resolve, reject) => {
        held.set(commandId, resolve);
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      }).finally(() => held.delete(commandId));
      const change = await files.write(path, `${commandId}\n`, { expected: 'absent' });
      return { output: 'written', files: [{ path, kind: 'created', hash: change.hash }] };
    },
  });

  /** Ignores the stop signal. */
  const deaf = defineTool({
    ...hold,
    name: 'deaf',
    async handle({ path }, { commandId, files, run }) {
      handled.push(commandId);
      await new Promise<void>((resolve) => held.set(commandId, resolve));
      await run({ kind: 'shell', line: 'never' }).catch(() => undefined);
      await files.write(path, 'late\n', { expected: 'absent' });
      return { output: 'written' };
    },
  });

  const flaky = defineTool({
    ...echo,
    name: 'flaky',
    aliases: [],
    retryable: true,
    async handle({ text, times = 1 }, { commandId }) {
      handled.push(commandId);
      flakes += 1;
      if (flakes > times) return { output: text };
      throw new ToolFailure({
        code: 'busy',
        category: 'ServerError',
        message: 'Cannot reach it: it is busy',
      });
    },
  });

  const broken = defineTool({
    ...echo,
    name: 'broken',
    aliases: [],
    async handle({ text }) {
      throw new Error(`secret inside: ${text}`);
    },
  });

  const shell = defineTool({
    name: 'shell',
    description: 'Runs a line',
    requestKind: 'bash',
    category: 'execute',
    risk: 'medium',
    args: z.strictObject({ line: z.string() }),
    describe: ({ line }) => line,
    shellLine: ({ line }) => ({ line }),
    effects: () => [],
    async handle({ line }, { commandId, run }) {
      handled.push(commandId);
      const execution = await run({ kind: 'shell', line });
      return { output: null, execution };
    },
  });

  const check = defineTool({
    name: 'check',
    description: 'Runs the tests',
    requestKind: 'bash',
    category: 'execute',
    risk: 'medium',
    effects: () => [],
    args: z.strictObject({}),
    describe: () => '',
    shellLine: (_args, { tests }) => {
      if (tests !== null) return { line: tests };
      throw new ToolFailure({ code: 'no-line', category: 'PermanentFailure', message: 'No line for tests' });
    },
    handle: async (_args, { commandId, run, lines }) => {
      handled.push(commandId);
      return { output: null, execution: await run({ kind: 'shell', line: lines.tests ?? '' }) };
    },
  });

  return {
    list: [echo, hold, deaf, flaky, broken, shell, check],
    handled,
    holding: () => [...held.keys()],
    forget: () => held.clear(),
    release(id) {
      const answer = held.get(id);
      if (answer === undefined) throw new Error(`${id} holds nothing`);
      answer();
    },
  };
}
