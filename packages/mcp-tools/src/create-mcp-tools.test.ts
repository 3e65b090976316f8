import { createMemoryFacts } from '@signalbox/core/testing';
import type { ToolContext } from '@signalbox/core';
import { describe, expect, test, vi } from 'vitest';
import { storedServer } from './stored-servers.ts';
import { createScriptedServer, startHttpServer } from './testing/index.ts';
import { callsFile, program, ready, serversOf, start } from './testing/mcp-harness.ts';

describe('the tools of a server (A7, S000-88, S003-81, S004-10)', () => {
  test('are called over its standard input and output, without caching', async () => {
    using calls = callsFile();
    await using harness = await start(serversOf({ a: program('sound', calls.path) }));
    const echo = await ready(harness);
    expect(echo).toMatchObject({
      kind: 'mcp',
      category: 'execute',
      policy: 'requires_approval',
      retryable: false,
      isChanged: false,
      inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    });
    expect(echo.description).toBe('Says it again\n(Tool "echo" of the MCP server "a")');
    expect(await harness.call('mcp__a__echo', { text: 'hello' })).toBe('hello');
    expect(await harness.call('mcp__a__echo', { text: 'hello' })).toBe('hello');
    // S001-85: answers of a server are never cached.
    expect(calls.lines()).toEqual(['echo hello', 'echo hello']);
    expect(await harness.call('mcp__a__sum', { a: 1, b: 2 })).toEqual({ sum: 3 });
  });

  for (const era of ['2025', '2026'] as const) {
    test(`are called over HTTP by the protocol of ${era}, with headers from the environment`, async () => {
      const server = await startHttpServer(() => createScriptedServer({}), { era });
      const own = {
        url: server.url,
        token_from: 'TOKEN',
        headers: { 'X-A': 'a' },
        headers_from: { 'X-B': 'B' },
      };
      await using harness = await start(serversOf({ a: own }), { env: { TOKEN: 'secret', B: 'b' } });
      expect((await ready(harness)).category).toBe('network');
      expect(await harness.call('mcp__a__echo', { text: 'hello' })).toBe('hello');
      expect(server.headers.every((one) => one.authorization === 'Bearer secret')).toBe(true);
      expect(server.headers.at(-1)).toMatchObject({ 'x-a': 'a', 'x-b': 'b' });
      await harness.tools.close();
      await server.close();
    });
  }

  test('fail with the server’s message, without terminal control sequences', async () => {
    await using harness = await start(serversOf({ a: program() }));
    await ready(harness);
    expect(await harness.call('mcp__a__refuse')).toMatchObject({
      code: 'mcp-tool-error',
      message: 'mcp__a__refuse failed: not today',
    });
    expect(await harness.call('mcp__a__paint')).toBe('redback hidden');
  });

  test('get exactly the variables in the settings', async () => {
    const own = { ...program(), env: { GIVEN: 'yes' }, env_from: ['TOKEN'] };
    await using harness = await start(serversOf({ a: own }), { env: { TOKEN: 'secret', OTHER: 'no' } });
    await ready(harness);
    const look = (variable: string) => harness.call('mcp__a__look', { variable });
    expect([await look('GIVEN'), await look('TOKEN'), await look('OTHER')]).toEqual([
      '"yes"',
      '"secret"',
      'null',
    ]);
  });

  test('are not offered if settings turn them off', async () => {
    await using harness = await start(
      serversOf({
        a: { ...program(), tools: { echo: { enabled: false } } },
        b: { ...program(), enabled: false },
      }),
    );
    await ready(harness, 'mcp__a__sum');
    expect(harness.tools.list().map(({ name }) => name)).not.toContain('mcp__a__echo');
    expect(harness.tools.get('mcp__b__echo')).toBeUndefined();
  });
});

describe('a tool whose definition changes (E8, S000-86)', () => {
  test('counts as changed once its server reports it, until a person allows a call', async () => {
    await using harness = await start(serversOf({ a: program() }));
    const before = await ready(harness);
    await harness.call('mcp__a__echo', { text: 'x' });
    const reported = vi.fn<() => void>();
    harness.tools.onChanged(reported);
    await harness.call('mcp__a__rename', { to: 'Sends it to everybody' });
    await vi.waitFor(() => expect(harness.tools.get('mcp__a__echo')?.isChanged).toBe(true), 20_000);
    expect(reported).toHaveBeenCalled();
    expect(harness.tools.get('mcp__a__echo')?.description).toContain('Sends it to everybody');
    expect(harness.tools.get('mcp__a__echo')?.definition).not.toBe(before.definition);
    // The old tool, from a call judged earlier, no longer runs.
    await expect(
      before.handle({ text: 'x' }, { signal: new AbortController().signal } as ToolContext),
    ).rejects.toMatchObject({
      code: 'tool-changed',
    });
  });

  test('still counts as changed after a restart, until it ran once', async () => {
    const facts = createMemoryFacts();
    {
      await using harness = await start(serversOf({ a: program() }), { facts });
      await ready(harness);
      await harness.call('mcp__a__echo', { text: 'x' });
      await harness.call('mcp__a__rename', { to: 'Another' });
      await vi.waitFor(() => expect(harness.tools.get('mcp__a__echo')?.isChanged).toBe(true), 20_000);
    }
    // Its description is the allowed one again.
    await using harness = await start(serversOf({ a: program() }), { facts });
    expect(harness.tools.get('mcp__a__echo')?.isChanged).toBe(true);
    await vi.waitFor(() => expect(harness.tools.get('mcp__a__echo')?.isChanged).toBe(false), 20_000);
  });

  test('a tool that never ran counts as new, not as changed', async () => {
    await using harness = await start(serversOf({ a: program() }));
    await ready(harness);
    await harness.call('mcp__a__rename', { to: 'Another' });
    await vi.waitFor(
      () => expect(harness.tools.get('mcp__a__echo')?.description).toContain('Another'),
      20_000,
    );
    expect(harness.tools.get('mcp__a__echo')?.isChanged).toBe(false);
  });
});

test('stored tools of a server are offered at once after a restart, unless its program changed', async () => {
  const facts = createMemoryFacts();
  {
    await using harness = await start(serversOf({ a: program() }), { facts });
    await ready(harness);
  }
  expect(await storedServer(facts, 'a')).toMatchObject({
    tools: expect.arrayContaining([expect.objectContaining({ theirs: 'echo' })]),
  });
  await using again = await start(serversOf({ a: program() }), { facts });
  expect(again.tools.list().map(({ name }) => name)).toContain('mcp__a__echo');
  await using other = await start(serversOf({ a: program('silent') }), { facts });
  expect(other.tools.list()).toEqual([]);
});
