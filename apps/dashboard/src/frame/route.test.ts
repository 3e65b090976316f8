import { expect, test } from 'vitest';
import { currentRoute, goTo, linkTo, onRoute, routeOf } from './route.ts';

test('a link leads back to its page, its command and its filters', () => {
  const query = new URLSearchParams({ outcome: 'failed', text: 'a b' });
  const { page, id, query: read } = routeOf(linkTo('history', 'cmd_1/2', query));
  expect({ page, id, read: read.toString() }).toEqual({
    page: 'history',
    id: 'cmd_1/2',
    read: query.toString(),
  });
});

test('an unknown page is Live', () => {
  for (const hash of ['', '#', '#/', '#/nothing', '#enter=abc'])
    expect(routeOf(hash)).toMatchObject({ page: 'live', id: null });
});

test('a new address applies to all parts of the page at once, and only after the browser’s event', () => {
  // The parts of a browser that the route needs.
  const browser = new EventTarget();
  Object.assign(globalThis, {
    location: { hash: '#/approvals/cmd_1' },
    addEventListener: browser.addEventListener.bind(browser),
    removeEventListener: browser.removeEventListener.bind(browser),
  });
  const heard: string[] = [];
  const stop = onRoute(() => heard.push(currentRoute().page));
  expect(currentRoute()).toMatchObject({ page: 'approvals', id: 'cmd_1' });
  location.hash = '#/history';
  expect(currentRoute().page).toBe('approvals');
  browser.dispatchEvent(new Event('hashchange'));
  expect(currentRoute().page).toBe('history');
  goTo('live');
  expect([currentRoute().page, location.hash]).toEqual(['live', '#/live']);
  browser.dispatchEvent(new Event('hashchange'));
  expect(heard).toEqual(['history', 'live']);
  stop();
});
