import { CommandView } from '@signalbox/api';
import { expect, test } from 'vitest';
import { backgroundWorld } from '../../client/testing/background-world.ts';
import { askServer } from '../../serve/ask-server.ts';
import { writeOwnSettings } from '../own-settings.ts';
import { answerQuestions } from './answer-questions.ts';

test(
  'the person of a play answers questions of a coordinator in the background',
  { timeout: 120_000 },
  async () => {
    const world = backgroundWorld();
    await writeOwnSettings(world.directory, JSON.stringify({ approval: { prompt_on_warning: true } }));
    const access = await world.connect();
    const submit = (line: string) => {
      const body = { tool: 'bash', args: { line }, provider: 'codex' };
      return askServer(access, { method: 'POST', path: '/api/commands', body }, CommandView);
    };
    const over = new AbortController();
    const answering = answerQuestions(
      world.directory,
      (title) => (title.includes('refused') ? { refuse: 'use b' } : {}),
      over.signal,
    );
    const ended = async (line: string) => {
      const { id } = await submit(line);
      return askServer(access, { method: 'GET', path: `/api/commands/${id}?wait=60000` }, CommandView);
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
