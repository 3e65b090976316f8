import { expect, test } from 'vitest';
import type { Interrupts } from '../../runtime/contract/interrupts.ts';
import { type StopChoice, stopOrDetach } from './stop-or-detach.ts';

type Source = Readonly<{ interrupts: Interrupts; press: (signal?: 'SIGINT' | 'SIGTERM') => void }>;

function source(): Source {
  const listeners = new Set<Parameters<Interrupts['listen']>[0]>();
  let count = 0;
  const press = (signal: 'SIGINT' | 'SIGTERM' = 'SIGINT'): void => {
    count += 1;
    for (const listener of listeners) listener(count, signal);
  };
  return {
    press,
    interrupts: {
      listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      raise: press,
    },
  };
}

function started(answers: readonly (StopChoice | null)[], atTermination: 'stop' | 'detach' = 'stop') {
  const { interrupts, press } = source();
  const did: string[] = [];
  const next = answers.values();
  const steps = stopOrDetach({
    interrupts,
    ask() {
      const answer = next.next().value ?? null;
      did.push('asked');
      return answer === null ? null : Promise.resolve(answer);
    },
    atTermination,
    stop: (mode) => did.push(mode),
    detach: () => did.push('detached'),
  });
  return { press, did, steps };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test('Ctrl-C prompts; after continuing it prompts again the next time, and detaching stops nothing', async () => {
  const { press, did, steps } = started(['go-on', 'detach']);
  press();
  await settle();
  press();
  await settle();
  expect(did).toEqual(['asked', 'asked', 'detached']);
  expect(steps.exitCode()).toBeNull();
});

test('a second Ctrl-C during the prompt stops, a third kills', async () => {
  const { press, did, steps } = started(['go-on']);
  press();
  press();
  await settle();
  press();
  expect(did).toEqual(['asked', 'graceful', 'force']);
  expect(steps.exitCode()).toBe(130);
});

test('without prompts the first Ctrl-C stops, and so does SIGTERM', async () => {
  const { press, did } = started([null]);
  press();
  press();
  expect(did).toEqual(['asked', 'graceful', 'force']);
  const other = started(['go-on']);
  other.press('SIGTERM');
  expect(other.did).toEqual(['graceful']);
  expect(other.steps.exitCode()).toBe(143);
});

test('where SIGTERM detaches it stops nothing, unless the run is being stopped', async () => {
  const { press, did, steps } = started([], 'detach');
  press('SIGTERM');
  expect(did).toEqual(['detached']);
  expect(steps.exitCode()).toBe(143);
  const stopping = started([null], 'detach');
  stopping.press();
  stopping.press('SIGTERM');
  expect(stopping.did).toEqual(['asked', 'graceful', 'force']);
});
