import { expect, test } from 'vitest';
import { terminalFacts } from './terminal.ts';

const flags = { color: 'auto', ascii: false } as const;
const tty = { isTTY: true, columns: 120, rows: 40 };

function facts(env: Readonly<Record<string, string>>, stdout: object = tty, given: object = {}) {
  return terminalFacts(
    { env, stdin: { isTTY: true, setRawMode: () => undefined }, stdout, stderr: tty },
    { ...flags, ...given },
  );
}

test('colour is decided for each stream separately', () => {
  expect(facts({}, {}).stdout).toEqual({ tty: false, colour: false, width: Infinity });
  expect(facts({}, {}).stderr).toEqual({ tty: true, colour: true, width: 120 });
  expect(facts({ NO_COLOR: '1' }).stdout.colour).toBe(false);
  expect(facts({ TERM: 'dumb' }).stdout.colour).toBe(false);
  expect(facts({ FORCE_COLOR: '1' }, {}).stdout.colour).toBe(true);
  expect(facts({ NO_COLOR: '1' }, tty, { color: 'always' }).stdout.colour).toBe(true);
  expect(facts({ FORCE_COLOR: '1' }, tty, { color: 'never' }).stdout.colour).toBe(false);
});

test('ASCII is used for locales without UTF-8, the kernel’s console and on request', () => {
  expect(facts({ LANG: 'en_US.UTF-8' }).ascii).toBe(false);
  expect(facts({}).ascii).toBe(false);
  expect(facts({ LANG: 'en_US.UTF-8', LC_ALL: 'C' }).ascii).toBe(true);
  expect(facts({ TERM: 'linux' }).ascii).toBe(true);
  expect(facts({ SIGNALBOX_ASCII: '1' }).ascii).toBe(true);
});

test('nothing is redrawn in CI, on a dumb terminal or for a screen reader', () => {
  expect(facts({}).live).toBe(true);
  for (const env of [{ CI: 'true' }, { TERM: 'dumb' }, { SIGNALBOX_PLAIN: '1' }]) {
    expect(facts(env).live).toBe(false);
  }
  expect(facts({ SIGNALBOX_PLAIN: '1' }).stdin.rawMode).toBe(false);
});
