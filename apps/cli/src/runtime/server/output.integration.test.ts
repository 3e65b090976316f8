import { expect, test } from 'vitest';
import { openTestServer } from '../../testing/open-test-server.ts';
import type { TestCommandView } from './testing/command-view.ts';

type Part = { text: string; from: number; to: number; totalBytes: number; complete: boolean };
type Found = { matches: { at: number; line: number; text: string }[]; next: object | null };

/** Concatenated, so that this file contains no secret itself. */
const SECRET = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
const BEFORE = Array.from({ length: 30_000 }, (_, at) => `${at + 1}\n`).join('');

test('any part of a long output is redacted, wherever it begins, and lines are found in it (N2)', async () => {
  await using own = await openTestServer();
  const line = `seq 1 30000; printf 'ghp_%s\\n' ${SECRET.slice(4)}; seq 30001 40000`;
  const { body: command } = await own.ask<TestCommandView>('POST', '/api/commands', {
    body: { tool: 'bash', args: { line }, wait: true },
  });
  expect(command.status).toBe('completed');
  const path = `/api/commands/${command.id}/output`;
  for (const into of [0, 4, 5, 12, 30]) {
    const { body } = await own.ask<Part>('GET', `${path}?from=${BEFORE.length + into}&length=64`);
    expect(body.complete).toBe(true);
    expect(body.text).not.toContain(SECRET.slice(into).slice(0, 8));
  }
  const { body: whole } = await own.ask<Part>('GET', `${path}?length=1000000`);
  expect(whole.text).toContain('30000\n[redacted:');
  expect(whole.text.endsWith('\n40000\n')).toBe(true);
  expect(whole.to).toBe(whole.totalBytes);

  const search = async (query: string): Promise<Found> =>
    (await own.ask<Found>('GET', `${path}/search?${query}`)).body;
  expect(await search(`text=${SECRET.slice(10, 30)}`)).toEqual({ matches: [], next: null });
  const { matches } = await search('text=39999');
  expect(matches).toMatchObject([{ line: 40_000, text: '39999' }]);
  const at = matches[0]?.at ?? 0;
  expect((await own.ask<Part>('GET', `${path}?from=${at}&length=6`)).body.text).toBe('39999\n');
  const first = await search('text=999&limit=1');
  expect(first).toMatchObject({ matches: [{ line: 999 }], next: { line: 1000 } });
});

test('a provider can’t search the output of another', async () => {
  await using own = await openTestServer();
  const { body: command } = await own.ask<TestCommandView>('POST', '/api/commands', {
    body: { tool: 'bash', args: { line: 'echo mine' }, wait: true },
  });
  const { token } = await own.of.tokens.create({
    kind: 'made',
    name: 'other',
    role: 'provider',
    provider: command.context.provider === 'gemini' ? null : ('gemini' as typeof command.context.provider),
    lifetimeMs: null,
  });
  const { status } = await own.ask('GET', `/api/commands/${command.id}/output/search?text=mine`, { token });
  expect(status).toBe(404);
});
