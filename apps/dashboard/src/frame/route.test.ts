import { expect, test } from 'vitest';
import { linkTo, routeOf } from './route.ts';

test('a link leads back to its page, its command and its filters', () => {
  const query = new URLSearchParams({ outcome: 'failed', text: 'a b' });
  const { page, id, query: read } = routeOf(linkTo('history', 'cmd_1/2', query));
  expect({ page, id, read: read.toString() }).toEqual({
    page: 'history',
    id: 'cmd_1/2',
    read: query.toString(),
  });
});

test('what names no page is Live', () => {
  for (const hash of ['', '#', '#/', '#/nothing', '#enter=abc'])
    expect(routeOf(hash)).toMatchObject({ page: 'live', id: null });
});
