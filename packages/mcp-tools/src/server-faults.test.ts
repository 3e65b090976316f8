import type { ToolContext } from '@signalbox/core';
import { createManualClock, createMemoryFacts, createMemoryLogger } from '@signalbox/core/testing';
import { describe, expect, test, vi } from 'vitest';
import { createMcpTools } from './create-mcp-tools.ts';
import type { OpenClient } from './open-client.ts';
import { createScriptedServer, startHttpServer } from './testing/index.ts';
import { callsFile, program, ready, serversOf, start } from './testing/mcp-harness.ts';

const patient = (behaviour: Parameters<typeof program>[0]) => ({
  ...program(behaviour),
  start_timeout: '3m',
});

describe('a hostile server', () => {
  test('cannot take another tool’s name or control terminals, and its unfit tools are omitted', async () => {
    await using harness = await start(serversOf({ a: program('hostile') }));
    const echo = await ready(harness);
    expect(echo.description).toContain('Says it again');
    const names = harness.tools.list().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => /^mcp__a__echo_[0-9a-f]{8}$/.test(name))).toHaveLength(2);
    for (const { description } of harness.tools.list())
      // oxlint-disable-next-line no-control-regex -- this is what must not be there
      expect(description).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u202A-\u202E\u{E0000}-\u{E007F}]/u);
    expect(names).not.toContain('mcp__a__far');
    expect(JSON.stringify(harness.logger.lines)).toContain('refers to');
  });

  test('has long answers cut, and is closed for an endless one', async () => {
    await using harness = await start(serversOf({ a: program(), b: program('flood') }));
    await ready(harness);
    const long = await harness.call('mcp__a__huge', { characters: 200_000 });
    expect(long).toMatch(/^x{100000}… \[cut\]$/);
    expect(await harness.call('mcp__a__huge', { characters: 9 * 1024 * 1024 })).toMatchObject({
      code: 'mcp-server-lost',
    });
    await vi.waitFor(
      () => expect(JSON.stringify(harness.logger.lines)).toContain('sent a message of over 8388608 bytes'),
      20_000,
    );
  });

  // This many messages take a busy machine half a minute.
  test(
    'that sends endless messages or an endless list is disconnected with a reason',
    { timeout: 180_000 },
    async () => {
      // Before its timeout, as it never answers.
      const servers = serversOf({ a: patient('chatter'), b: patient('pages') });
      await using harness = await start(servers);
      await harness.tools.known(60_000);
      await vi.waitFor(
        () => expect(JSON.stringify(harness.logger.lines)).toContain('sent over 20000 messages within 10 s'),
        120_000,
      );
      expect(await harness.call('mcp__b__t1')).toMatchObject({
        code: 'mcp-server-unavailable',
        message: expect.stringContaining('did not terminate'),
      });
    },
  );

  test.for(['2025', '2026'] as const)(
    'over HTTP, era %s, is disconnected for an endless answer',
    async (era) => {
      const server = await startHttpServer(() => createScriptedServer({}), { era });
      await using harness = await start(serversOf({ a: { url: server.url } }));
      await ready(harness);
      expect(await harness.call('mcp__a__huge', { characters: 200_000 })).toMatch(/^x{100000}… \[cut\]$/);
      const answer = await harness.call('mcp__a__huge', { characters: 9 * 1024 * 1024 });
      expect(answer).toMatchObject({ code: 'mcp-server-lost' });
      await harness.tools.close();
      await server.close();
    },
  );

  test('that never answers is told when the call is cancelled', async () => {
    using calls = callsFile();
    await using harness = await start(serversOf({ a: program('sound', calls.path) }));
    expect((await ready(harness, 'mcp__a__hang')).risk).toBe('high');
    const stop = new AbortController();
    const answer = harness.call('mcp__a__hang', {}, stop.signal);
    await vi.waitFor(() => expect(calls.lines()).toEqual(['hang']), 20_000);
    stop.abort();
    expect(await answer).toMatchObject({ code: 'stopped' });
    await vi.waitFor(() => expect(calls.lines()).toEqual(['hang', 'hang was cancelled']), 20_000);
  });
});

describe('an unavailable server', () => {
  test('that died in a call does not get the call again, and is back for the next one; after a second death it is left alone for a while (H6)', async () => {
    using calls = callsFile();
    await using harness = await start(serversOf({ a: program('sound', calls.path) }));
    await ready(harness);
    expect(await harness.call('mcp__a__die')).toMatchObject({
      code: 'mcp-server-lost',
      category: 'NetworkError',
    });
    expect(calls.lines()).toEqual(['die']);
    expect(harness.tools.list().map(({ name }) => name)).toContain('mcp__a__echo');
    expect(await harness.call('mcp__a__echo', { text: 'at once' })).toBe('at once');
    await harness.call('mcp__a__die');
    expect(calls.lines()).toEqual(['die', 'echo at once', 'die']);
    expect(await harness.call('mcp__a__echo', { text: 'x' })).toMatchObject({
      code: 'mcp-server-unavailable',
    });
    await harness.clock.advance(1000);
    expect(await harness.call('mcp__a__echo', { text: 'back' })).toBe('back');
  });

  test('gives the reason, and is retried with growing pauses', async () => {
    await using harness = await start(
      serversOf({ a: { command: '/no/such/program' }, b: program('broken') }),
    );
    await harness.tools.known(60_000);
    expect(await harness.call('mcp__a__echo', { text: 'x' })).toMatchObject({
      code: 'mcp-server-unavailable',
      message: expect.stringContaining('ENOENT'),
    });
    expect(await harness.call('mcp__b__echo', { text: 'x' })).toMatchObject({
      message: expect.stringMatching(/it exited with code 2: no licence found$/),
    });
    const pauses = () =>
      harness.logger.lines
        .filter(({ facts }) => facts?.['mcpServer'] === 'a')
        .map(({ facts }) => facts?.['waitMs'])
        .filter(Boolean);
    for (let tries = 2; tries < 9; tries++) {
      await harness.clock.advance(Number(pauses().at(-1)));
      await vi.waitFor(() => expect(pauses()).toHaveLength(tries), 20_000);
    }
    expect(pauses()).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  });

  test('that is silent blocks nothing, and is given up after its timeout', async () => {
    await using harness = await start(serversOf({ a: { ...program('silent'), start_timeout: '5s' } }));
    const answer = harness.call('mcp__a__echo', { text: 'x' });
    expect(await answer).toMatchObject({ message: expect.stringContaining('connecting') });
    await harness.clock.advance(5000);
    await vi.waitFor(
      () => expect(JSON.stringify(harness.logger.lines)).toContain('it was not ready within 5000 ms'),
      20_000,
    );
  });

  test('over HTTP is found again after a restart', async () => {
    const create = () => createScriptedServer({});
    const first = await startHttpServer(create, { era: '2025' });
    await using harness = await start(serversOf({ a: { url: first.url } }));
    await ready(harness);
    await first.close();
    expect(await harness.call('mcp__a__echo', { text: 'x' })).toMatchObject({ code: 'mcp-server-lost' });
    const second = await startHttpServer(create, { era: '2025', port: Number(new URL(first.url).port) });
    await harness.clock.advance(1000);
    expect(await harness.call('mcp__a__echo', { text: 'back' })).toBe('back');
    await harness.tools.close();
    await second.close();
  });

  test('names a missing variable', async () => {
    await using harness = await start(serversOf({ a: { ...program(), env_from: ['TOKEN'] } }));
    await harness.tools.known(60_000);
    expect(await harness.call('mcp__a__echo')).toMatchObject({
      message: expect.stringContaining('TOKEN is not set'),
    });
  });

  test('that needs agreement is not started, and says how to agree', async () => {
    using calls = callsFile();
    const servers = serversOf({ a: program('sound', calls.path) });
    const open = vi.fn<OpenClient>();
    const tools = await createMcpTools({
      servers: Object.fromEntries(
        Object.entries(servers).map(([name, server]) => [name, { ...server, isAgreed: false }]),
      ),
      open,
      facts: createMemoryFacts(),
      clock: createManualClock(),
      logger: createMemoryLogger(),
    });
    await tools.known(60_000);
    const absent = tools.get('mcp__a__echo');
    await expect(absent?.handle({}, {} as ToolContext)).rejects.toMatchObject({
      code: 'mcp-server-not-agreed',
      suggestion: expect.stringContaining('signalbox tools trust a'),
    });
    expect([open.mock.calls.length, tools.list()]).toEqual([0, []]);
    await tools.close();
  });
});
