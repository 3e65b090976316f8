import {
  CallHash,
  type CommandResult,
  defaultSettings,
  type Settings,
  type StampScope,
} from '@signalbox/core';
import { aCommandRecord, aCommandId, createMemoryLogger, ended } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { createGateChain } from '../gate-chain.ts';
import type { GatedCall } from '../gate.ts';
import { createUtilityGate, type UtilityGate } from './utility-gate.ts';

type Given = { readonly digest?: () => string | null; readonly broken?: () => boolean };

function open({ digest = () => 'same', broken = () => false }: Given = {}) {
  const settings = defaultSettings();
  const on: Settings = {
    ...settings,
    tools: { ...settings.tools, utility: { ...settings.tools.utility, enabled: true } },
  };
  const scopes: StampScope[] = [];
  const listeners: ((event: never) => void)[] = [];
  const logger = createMemoryLogger();
  const utility = createUtilityGate({
    settings: on,
    tools: {
      get(name) {
        if (broken()) throw new Error('broken');
        const shellLine = ({ line }: { line: string }) => ({ line });
        return { name, isExempt: false, shellLine } as never;
      },
    },
    lines: { tests: null, lint: null },
    store: { list: async () => [] },
    files: { stat: async () => ({ kind: 'directory' }) as never },
    stamps: {
      async take(scope: StampScope) {
        scopes.push(scope);
        const state = digest();
        return state === null ? null : { digest: state, states: new Map() };
      },
    } as never,
    events: {
      subscribe(listener: (event: never) => void) {
        listeners.push(listener);
        return () => undefined;
      },
    },
    clock: { monotonic: () => 0 },
    logger,
  });
  if (utility === undefined) throw new Error('it is off');
  const chain = createGateChain([utility.gate], logger);
  const tell = (event: object): void => listeners.forEach((listener) => listener(event as never));
  return { utility, chain, scopes, tell };
}

function callOf(line: string, path = 'a.ts'): GatedCall {
  const { context } = aCommandRecord();
  return {
    call: { callId: 'c', tool: 'bash', args: { line } },
    callHash: CallHash.parse('a'.repeat(64)),
    title: line,
    verdict: {
      level: 'safe',
      reasons: [],
      effects: [{ kind: 'read', path, scope: 'file' }],
      runsRepositoryCode: false,
      composed: false,
    },
    context,
  };
}

/** It has run. */
function note(utility: UtilityGate, call: GatedCall, { label = 'a' } = {}): void {
  utility.noteJudged(call);
  const record = ended(aCommandRecord({ ...call, id: aCommandId(label), startedAt: 1 }));
  utility.gate.noteEnded?.(record, { ...(record.result as CommandResult), content: 'some text' });
}

async function codeOf({ chain }: ReturnType<typeof open>, call: GatedCall): Promise<string | undefined> {
  const signal = new AbortController().signal;
  return (await chain.ask(chain.of(call), { call, signal })).failure?.code;
}

const CALL = callOf('cat a.ts');

test('a repetition is refused, and one whose files changed is not', async () => {
  let state = 'one';
  const opened = open({ digest: () => state });
  note(opened.utility, CALL);
  expect(await codeOf(opened, CALL)).toBe('low-utility');
  state = 'two';
  expect(await codeOf(opened, CALL)).toBeUndefined();
});

test('what can’t be compared is never refused', async () => {
  const opened = open({ digest: () => null });
  note(opened.utility, CALL);
  expect(await codeOf(opened, CALL)).toBeUndefined();
});

test('a call that scores well is not held up by the gate', () => {
  const { chain, utility, scopes } = open();
  expect(chain.of(CALL)).toEqual([]);
  note(utility, CALL);
  expect(chain.of(callOf('wc -l b.ts', 'b.ts'))).toEqual([]);
  expect(scopes).toHaveLength(1);
});

test('an error while scoring refuses the call by its own code (S001-115)', async () => {
  let isBroken = false;
  const opened = open({ broken: () => isBroken });
  isBroken = true;
  expect(await codeOf(opened, CALL)).toBe('utility-unscored');
  expect(() => note(opened.utility, CALL)).not.toThrow();
});

test('a compressed session may read everything again', async () => {
  const opened = open();
  note(opened.utility, CALL);
  const { sessionId } = CALL.context;
  opened.tell({ type: 'context_compressed', sessionId, how: 'none' });
  expect(await codeOf(opened, CALL)).toBe('low-utility');
  opened.tell({ type: 'context_compressed', sessionId, how: 'summary' });
  expect(await codeOf(opened, CALL)).toBeUndefined();
});

test('a change by any command makes a result out of date, if it touches what was read', async () => {
  const opened = open();
  note(opened.utility, CALL);
  const writing = (path: string) => {
    const record = ended(aCommandRecord({ id: aCommandId('w'), startedAt: 1 }));
    const files = [{ path, kind: 'modified', hash: null, before: null }] as never;
    opened.utility.gate.noteEnded?.(record, { ...(record.result as CommandResult), files });
  };
  writing('other.ts');
  expect(await codeOf(opened, CALL)).toBe('low-utility');
  writing('a.ts');
  expect(opened.chain.of(CALL)).toEqual([]);
});
