import { defaultSettings, ProviderId } from '@signalbox/core';
import { aSessionId } from '@signalbox/core/testing';
import { classifyLine, createPolicy, explain, type Question } from '@signalbox/policy';
import { catalogue } from '@signalbox/tools';
import { expect, test } from 'vitest';
import { RENDER, screenText } from '../../testing/screen-text.ts';
import { explanationView } from './explanation-view.ts';

test('the trace shows each rule in full within 80 cells, and breaks no word', () => {
  const paths = { workspace: '/srv/shop', home: '/home/ana' };
  const tool = catalogue().find(({ name }) => name === 'bash');
  if (tool === undefined) throw new Error('no bash');
  const line = 'git push origin main';
  const question: Question = {
    tool,
    line,
    verdict: classifyLine(line, { cwd: paths.workspace, ...paths }),
    mode: 'NORMAL',
    sandboxed: true,
    contentBytes: line.length,
    context: {
      provider: ProviderId.parse('openai'),
      trust: 'provisional',
      phase: 'executor',
      sessionId: aSessionId('a'),
    },
  };
  const explained = explain(createPolicy(defaultSettings(), paths), question);
  const rows = screenText(
    explanationView({ title: line, question, ...explained, proposal: null, failure: null }, true, RENDER),
    Infinity,
  ).split('\n');
  expect(rows.filter((row) => row.length > 80)).toEqual([]);
  expect(rows.filter((row) => row.includes('…'))).toEqual([]);
  const words = rows.join(' ').replaceAll(/ +/g, ' ');
  expect(words).toContain('a file that programs outside the sandbox read as settings or code');
});
