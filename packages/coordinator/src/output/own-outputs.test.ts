import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallContext, Outputs } from '@signalbox/core';
import { createRedactor } from '@signalbox/core';
import { aCommandId, aProviderId, aSessionId } from '@signalbox/core/testing';
import { expect, test } from 'vitest';
import { anExecution, createHarness, FREE } from '../testing/coordinator-harness.ts';
import { ownFolder } from '../testing/own-folder.ts';
import { createOwnOutputs } from './own-outputs.ts';
import { createShownOutputs } from './shown-outputs.ts';

const WHOLE = Array.from({ length: 5000 }, (_, at) => `row ${at + 1}`).join('\n');
const MIDDLE = 'row 1\n[… 99 bytes left out …]\nrow 5000';
const SECRET = 'hunter2-hunter2';

/** A shell command that printed more than its result shows, and readers of its output. */
async function printed(options: { whole?: string; isSpilled?: boolean } = {}) {
  const harness = createHarness(FREE);
  const spillFile = join(ownFolder(), 'cmd.stdout');
  writeFileSync(spillFile, options.whole ?? WHOLE);
  const { isSpilled = true } = options;
  const stdout = { text: MIDDLE, totalBytes: 50_000, truncated: true, ...(isSpilled ? { spillFile } : {}) };
  harness.setProgram(async () => anExecution({ stdout }));
  const { commandId } = await harness.submit(await harness.start(), 'shell', { line: 'seq' }).result;
  const shown = createShownOutputs(createRedactor({ secrets: [SECRET] }));
  const outputsOf = (caller: Partial<CallContext> = {}): Outputs =>
    createOwnOutputs(
      { sessionId: aSessionId(), provider: aProviderId('openai'), ...caller },
      { recordOf: harness.store.get, auditedOf: () => undefined, shown },
    );
  return { commandId, spillFile, outputsOf };
}

const ASKED = { stream: 'stdout', part: { kind: 'from', firstLine: 2500 }, maxLines: 1 } as const;

test('omitted output can be read from the full output: by line, from the end, by search (S003-78, L-02)', async () => {
  const { commandId, outputsOf } = await printed();
  const read = (part: Parameters<Outputs['read']>[0]['part']) =>
    outputsOf().read({ ...ASKED, command: commandId, part });
  expect(await read(ASKED.part)).toEqual({
    lines: [{ line: 2500, text: 'row 2500' }],
    nextLine: 2501,
    totalLines: null,
    cut: null,
  });
  expect((await read({ kind: 'tail' })).lines).toEqual([{ line: 5000, text: 'row 5000' }]);
  const found = await read({ kind: 'search', text: 'ROW 4321' });
  expect(found.lines).toMatchObject([{ line: 4321, text: 'row 4321' }]);
});

test('secrets stay out of the full output, even if a search contains one', async () => {
  const { commandId, outputsOf } = await printed({ whole: `a\nkey ${SECRET}\n` });
  const search = { kind: 'search', text: SECRET } as const;
  expect((await outputsOf().read({ ...ASKED, command: commandId, part: search })).lines).toEqual([]);
  const all = { kind: 'from', firstLine: 1 } as const;
  const { lines } = await outputsOf().read({ ...ASKED, command: commandId, part: all, maxLines: 9 });
  expect(lines.at(-1)?.text).toMatch(/^key \[redacted/);
});

test('another session can’t read it; an agent’s next connection can, another provider can’t (A-B10)', async () => {
  const { commandId, outputsOf } = await printed();
  const query = { ...ASKED, command: commandId };
  const other = { sessionId: aSessionId('other') };
  await expect(outputsOf(other).read(query)).rejects.toMatchObject({ code: 'not-your-command' });
  const agent = { ...other, identity: 'provider' } as const;
  expect((await outputsOf(agent).read(query)).lines).toHaveLength(1);
  const foreign = { ...agent, provider: aProviderId('anthropic') };
  await expect(outputsOf(foreign).read(query)).rejects.toMatchObject({ code: 'not-your-command' });
});

test('an unknown id, a dropped command and a dropped file give three different answers', async () => {
  const { commandId, spillFile, outputsOf } = await printed();
  const read = (command: string) => outputsOf().read({ ...ASKED, command });
  for (const strange of ['cmd_x', aCommandId('never')]) {
    await expect(read(strange)).rejects.toMatchObject({ code: 'unknown-command' });
  }
  const line = { session_id: aSessionId(), provider: aProviderId('openai') };
  const forgotten = createOwnOutputs(
    { sessionId: aSessionId(), provider: aProviderId('openai') },
    {
      recordOf: async () => null,
      auditedOf: () => line as never,
      shown: { of: async () => null },
    },
  );
  await expect(forgotten.read({ ...ASKED, command: commandId })).rejects.toMatchObject({
    code: 'no-longer-kept',
    message: `Cannot read the output of ${commandId}: it is no longer stored`,
  });
  // A copy that was shown before is dropped with it.
  await outputsOf().read({ ...ASKED, command: commandId });
  rmSync(spillFile);
  rmSync(`${spillFile}.shown`);
  const part = { kind: 'from', firstLine: 3 } as const;
  expect(await outputsOf().read({ ...ASKED, command: commandId, part })).toMatchObject({
    lines: [{ text: 'row 5000' }],
    cut: 'no-longer-kept',
  });
});

test('an output over the spill bound was never kept in full, and the answer says so', async () => {
  const { commandId, outputsOf } = await printed({ isSpilled: false });
  expect(await outputsOf().read({ ...ASKED, command: commandId })).toMatchObject({ cut: 'too-long' });
});
