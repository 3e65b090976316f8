import { type CommandRecord, type Event, type Facts, ProviderId } from '@signalbox/core';
import { createTokenRegistry } from '@signalbox/server/access';
import { clientAt } from '../../client/client-at.ts';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { createCoordinatorClient } from '../../client/coordinator-client.ts';
import { ANY_PORT, openPort } from '../../client/open-port.ts';
import { serverReader } from '../../client/readers/server-reader.ts';
import { unlessRefused } from '../../client/send-to.ts';
import type { RunScreen } from '../../live/run/run-screen.ts';
import { openRunScreen, recordsOf, showRun } from '../../live/run/show-run.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { as, line } from '../../terminal/line.ts';
import { createCaptions } from './captions.ts';
import type { EventMilestones } from './milestones.ts';
import { createScriptedPerson, SCRIPTED_PERSON } from './scripted-person.ts';
import { SCRIPTS } from './scripts.ts';

/** Longer than any demo: nothing may hang longer. */
const MAX_MS = 120_000;

/** Starts the demo's run at the coordinator of its folder, and shows it to its end with captions. */
export async function playDemo(options: {
  readonly context: Context;
  /** Holds the access tokens of that coordinator. */
  readonly facts: Facts;
  readonly milestones: EventMilestones;
  readonly fast: boolean;
  /** Abort to end it. */
  readonly signal: AbortSignal;
  /** Called with the screen that shows later messages. */
  readonly onScreen: (screen: RunScreen) => void;
}): Promise<Readonly<{ events: readonly Event[]; records: readonly CommandRecord[] }>> {
  const { context, milestones, fast, signal } = options;
  const { clock, flags, random } = context;
  const access = await connectCoordinator(context, { what: 'play the demo', start: false });
  const client = await createCoordinatorClient(access, 'terminal');
  const reader = serverReader(access, clock);
  // A separate person who may only answer: over a port, since clients on the socket are the owner.
  const { token } = await createTokenRegistry({ facts: options.facts, clock, random }).create({
    kind: 'made',
    name: SCRIPTED_PERSON,
    role: 'approver',
    provider: null,
    lifetimeMs: MAX_MS,
  });
  const { url, close } = await openPort(access, ANY_PORT);
  const run = await client.startRun({
    assignments: SCRIPTS.map(({ provider, task }) => ({ provider: ProviderId.parse(provider), task })),
    until: null,
    attended: true,
  });
  const screen = openRunScreen(run, {
    context: { ...context, flags: { ...flags, input: false } },
    client,
    reader,
    onDetach: null,
    isVerbose: true,
    printsHowToAnswer: false,
  });
  options.onScreen(screen);
  const person = createScriptedPerson({
    client: clientAt({ url, token, pid: process.pid }),
    clock,
    fast,
    isAnswering: screen.isAnswering,
  });
  const captions = createCaptions(reader.commands, fast);
  const events: Event[] = [];
  let printing: Promise<void> = Promise.resolve();

  /** Captions appear together with what they describe. */
  async function printCaption(event: Event, reported: Promise<void>): Promise<void> {
    const lines = await captions(event);
    await reported;
    screen.note(lines);
  }

  function stop(): void {
    screen.note([line(as('warn', 'Stopping: the demo ends when every process has exited'))]);
    unlessRefused('unknown-run', client.stopRun({ id: run.id })).catch(context.reportError);
  }
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const cancel = clock.timer(MAX_MS, stop);
  try {
    await showRun(run, {
      access,
      after: run.firstEvent,
      client,
      context,
      screen,
      withOutput: true,
      keys: () => ({}),
      signal: new AbortController().signal,
      receive(event, reported) {
        events.push(event);
        milestones.note(event);
        person.receive(event);
        printing = printing.then(() => printCaption(event, reported));
      },
    }).finally(() => {
      cancel();
      signal.removeEventListener('abort', stop);
      person.leave();
    });
    await printing;
    return { events, records: await recordsOf(run, reader) };
  } finally {
    await screen.close();
    close();
  }
}
