import { ProviderId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { clientAt } from '../../client/client-at.ts';
import { backgroundWorld } from '../../client/testing/background-world.ts';
import { writeOwnSettings } from '../own-settings.ts';
import { answerQuestions } from './answer-questions.ts';

test(
  'the scripted user answers approvals of a coordinator in the background',
  { timeout: 120_000 },
  async () => {
    const world = backgroundWorld();
    await writeOwnSettings(world.directory, {
      text: JSON.stringify({ approval: { prompt_on_warning: true } }),
    });
    const client = clientAt(await world.connect());
    const provider = ProviderId.parse('codex');
    const over = new AbortController();
    const answering = answerQuestions(
      world.directory,
      (title) => (title.includes('refused') ? { refuse: 'use b' } : {}),
      over.signal,
    );
    const ended = async (line: string) => {
      const { id } = await client.submitCommand({ tool: 'bash', args: { line }, provider });
      return client.getCommand({ id, wait: 60_000 });
    };
    expect(await ended('touch approved')).toMatchObject({
      approval: { status: 'granted' },
      result: { success: true },
    });
    expect((await ended('touch refused')).result?.content).toContain('use b');
    over.abort();
    await answering;
  },
);
