import { globSync, readFileSync } from 'node:fs';
import { aCommandId } from '@signalbox/core/testing';
import { shortId } from '@signalbox/core';
import { expect, test } from 'vitest';
import { nextForPerson } from './next-for-person.ts';

const ID = aCommandId();
const PACKAGES = new URL('../../../../../packages/', import.meta.url);
const OF_CALLS = '{coordinator,core,mcp-tools,policy,tools}/src/**/*.ts';

test('no next step for models tells a person to ask their user', () => {
  const said = globSync(OF_CALLS, { cwd: PACKAGES })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [
      ...readFileSync(new URL(file, PACKAGES), 'utf8').matchAll(
        /[\s(]'([^'\n]*\b(?:your|the) user\b[^'\n]*)'[\s,;:)]/g,
      ),
    ])
    .map(([, text = '']) => text);
  expect(said.length).toBeGreaterThan(5);
  const code = (text: string): string => (text.startsWith('Stop: ') ? 'approval-refused' : 'x');
  const left = said.filter((suggestion) =>
    /(?:your|the) user|^Stop/.test(
      nextForPerson({ code: code(suggestion), message: '', suggestion }, ID) ?? '',
    ),
  );
  expect(left).toEqual([]);
});

test('a person is told what to type', () => {
  const suggestion = 'Continue with other work';
  const next = (code: string, message = '') => nextForPerson({ code, message, suggestion }, ID);
  expect(next('approval-expired', 'The answer is still pending: signalbox approve x')).toBe(
    `signalbox approve ${shortId(ID)}, then run the same line again: it uses your answer`,
  );
  expect(next('approval-expired')).toBe('Run the line again, and answer in time');
  expect(next('approval-refused')).toBeUndefined();
  expect(next('audit-unavailable')).toBe('Run: signalbox doctor');
  expect(next('other')).toBe(suggestion);
  const stop = { code: 'denied', message: '', suggestion: 'Stop and tell the user' };
  expect(nextForPerson(stop, ID)).toBe(`Run: signalbox policy explain ${ID}`);
});
