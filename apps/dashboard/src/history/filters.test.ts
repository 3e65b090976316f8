import { expect, test } from 'vitest';
import { filtersOf, filterWords, questionOf, withFilter } from './filters.ts';

test('the address keeps the filters that the server supports, and nothing else', () => {
  const query = new URLSearchParams({ outcome: 'failed', nonsense: 'x', text: ' ', provider: 'openai' });
  expect(filtersOf(query).toString()).toBe('provider=openai&outcome=failed');
});

test('a filter is set, changed and removed without affecting the others', () => {
  const one = withFilter(new URLSearchParams(), 'tool', { value: 'bash' });
  const two = withFilter(one, 'level', { value: 'warning' });
  expect(two.toString()).toBe('tool=bash&level=warning');
  expect(withFilter(two, 'tool', { value: '' }).toString()).toBe('level=warning');
  expect(one.toString()).toBe('tool=bash');
});

test('filters are described in words', () => {
  expect(filterWords(new URLSearchParams({ level: 'dangerous', path: 'src' }))).toEqual([
    ['level', 'Level: dangerous'],
    ['path', 'Path: src'],
  ]);
});

test('the API gets typed filters, and an unknown level is dropped', () => {
  const filters = filtersOf(new URLSearchParams({ level: 'deadly', from: '1000', outcome: 'failed,lost' }));
  expect(filters.toString()).toBe('outcome=failed%2Clost&from=1000');
  expect(questionOf(filters)).toEqual({ outcome: 'failed,lost', from: 1000 });
});
