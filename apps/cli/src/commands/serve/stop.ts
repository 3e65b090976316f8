import { basename } from 'node:path';
import type { CommandView } from '@signalbox/api';
import * as z from 'zod';
import { clientAt } from '../../client/client-at.ts';
import { type FoundCoordinator, findCoordinator } from '../../client/find-coordinator.ts';
import { untilGone } from '../../client/until-gone.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { cutMiddle, lineCells } from '../../terminal/cells.ts';
import { idLabels } from '../../terminal/id-labels.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import type { RenderContext } from '../../terminal/render-context.ts';
import { interrupted } from '../../live/interrupted.ts';
import { openEvents } from '../../client/event-stream.ts';

/** `signalbox stop`: ends the coordinator of this workspace, when its work has finished or, with `--now`, at once. */
export const stop = defineSubcommand({
  name: 'stop',
  args: z.object({ now: z.boolean().default(false) }),
  async run({ now }, context) {
    refuseInsideCommand(context, 'stop the coordinator');
    const found = await findCoordinator(context, 'stop the coordinator');
    if (found === null) {
      context.json({ stopped: false, pid: null });
      context.say([line(muted(`Nothing runs in "${basename(context.directory)}"`))]);
      return EXIT.ok;
    }
    return stopIt(found, now ? 'now' : 'drained', context);
  },
});

async function stopIt(found: FoundCoordinator, when: 'now' | 'drained', context: Context): Promise<ExitCode> {
  const { access, hello } = found;
  const leave = new AbortController();
  // Opened before the request, so that even a quick end is seen.
  const frames = await openEvents(access, { after: null, clock: context.clock, signal: leave.signal });
  const [asked, ending] = await Promise.all([questions(found), sessionsOfRuns(found)]);
  const { kind, runs, commands } = await clientAt(access).stopCoordinator({ when });
  if (kind === 'draining') {
    const who = [count(runs, 'run'), count(commands, 'command')].filter((part) => part !== null).join(', ');
    context.say([
      line(as('warn', 'draining'), `: ${who} running; no new work starts`),
      ...questionLines('Pending approval', asked, context.noticeRender()),
      line(muted(`${wayOut(context)}; signalbox stop --now ends everything`)),
    ]);
  }
  const left = asked.filter(({ context: { sessionId } }) => !ending.has(sessionId));
  const ended = (async () => {
    for await (const _ of frames);
  })().catch(() => undefined);
  const isLeft = await Promise.race([ended.then(() => false), interrupted(context).then(() => true)]);
  leave.abort();
  const stopped = !isLeft && (await untilGone(hello.pid, context));
  context.json({ stopped, pid: hello.pid });
  if (isLeft) context.say([line(muted('The coordinator stops when they have finished'))]);
  else if (stopped)
    context.say([
      line(as('ok', 'stopped'), muted(` · process ${hello.pid}`)),
      ...(kind === 'stopping' && runs > 0 ? [line(`ended with it: ${count(runs, 'run')}`)] : []),
      ...(kind === 'draining' ? [] : questionLines('Not answered', left, context.noticeRender())),
    ]);
  else context.tell([line(as('danger', 'not stopped'), `: process ${hello.pid} still holds the workspace`)]);
  return isLeft || stopped ? EXIT.ok : EXIT.failed;
}

/** A script may hang here for good, unnoticed. */
function wayOut({ terminal }: Context): string {
  return terminal.stderr.tty ? 'Ctrl-C stops waiting' : 'Waiting until they finish, without a time limit';
}

/** Approvals pending at that moment; a coordinator of another version may not list them. */
async function questions({ access }: FoundCoordinator): Promise<readonly CommandView[]> {
  return clientAt(access)
    .listApprovals()
    .then(({ approvals }) => approvals.map(({ command }) => command))
    .catch(() => []);
}

/** Their approvals end with them. */
async function sessionsOfRuns({ access }: FoundCoordinator): Promise<ReadonlySet<string>> {
  const { runs } = await clientAt(access)
    .listRuns()
    .catch(() => ({ runs: [] }));
  return new Set(runs.filter(({ state }) => state === 'running').flatMap(({ sessions }) => sessions));
}

const MAX_NAMED = 5;

/** `It waits for an answer: p9ze openai  bash npm publish`, one per row, and how to answer. */
function questionLines(what: string, asked: readonly CommandView[], render: RenderContext): readonly Line[] {
  const label = idLabels(
    asked.map(({ id }) => id),
    render,
  );
  const more = asked.length - MAX_NAMED;
  return asked.slice(0, MAX_NAMED).flatMap(({ id, context, title }, at) => {
    const head = line(`${what}: `, as('asks', label(id)), ' ', muted(context.provider), '  ');
    const isLast = at === Math.min(asked.length, MAX_NAMED) - 1;
    return [
      line(head, cutMiddle(title, Math.max(16, render.width - lineCells(head)))),
      ...(isLast && more > 0 ? [line(muted(`and ${more} more`))] : []),
      ...(isLast
        ? [
            line(
              '  ',
              as('accent', asked.length === 1 ? `signalbox approve ${label(id)}` : 'signalbox approve'),
            ),
          ]
        : []),
    ];
  });
}

function count(number: number, what: string): string | null {
  if (number === 0) return null;
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
