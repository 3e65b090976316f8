import { basename } from 'node:path';
import type { RunView } from '@signalbox/api';
import type { UntilLine } from '@signalbox/coordinator';
import { modelEnvironment, type Settings } from '@signalbox/core';
import * as z from 'zod';
import { clientAt } from '../../client/client-at.ts';
import { connectCoordinator } from '../../client/connect-coordinator.ts';
import { confirmAtStart } from '../setup/trust-settings.ts';
import { PriorityArgument } from '../table/argument-schemas.ts';
import { canAsk } from '../../live/ask-yes.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { defineSubcommand } from '../table/define-subcommand.ts';
import type { ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { chooseProviders } from '../../live/run/choose-providers.ts';
import { followRun } from '../../live/run/follow-run.ts';
import { keysFor } from '../../live/run/keys-for.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { money } from '../../terminal/render-context.ts';
import type { LocalAccess } from '../../runtime/server/local-access.ts';
import { gitFolder } from '../../runtime/settings/is-tracked-by-git.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { MODE_ROLE } from '../../views/status-view.ts';
import { notSetUp } from '../../runtime/workspace/not-set-up.ts';
import { cwdInWorkspace } from '../../client/readers/path-in-workspace.ts';

type Read = Pick<Settings, 'approval' | 'agents' | 'tools'>;

/** `signalbox run "Make the tests pass" -p openai -p anthropic`: several providers working in one tree. */
export const run = defineSubcommand({
  name: 'run',
  args: z.object({
    task: z.string().optional(),
    provider: z.array(z.string()).default([]),
    until: z.string().min(1).optional(),
    budget: z.coerce.number({ error: 'must be an amount of US dollars' }).positive().optional(),
    turns: z.coerce.number({ error: 'must be a number of turns' }).int().min(1).max(10_000).optional(),
    rounds: z.coerce.number({ error: 'must be a number of checks' }).int().min(1).max(100).optional(),
    priority: PriorityArgument.optional(),
    unconfined: z.boolean().default(false),
  }),
  async run(args, context) {
    refuseInsideCommand(context, 'start a run');
    await confirmAtStart(context);
    const { settings, notes } = await loadSettings({ ...context, withoutSandbox: args.unconfined });
    const assignments = chooseProviders(args.provider, await taskOf(args, settings, context), {
      settings,
      env: context.env,
    });
    for (const { message } of notes) context.say([line(as('warn', 'note '), message)]);
    const providers = assignments.map(({ provider }) => provider);
    return withCoordinator(args.unconfined, context, async (access, canDetach) => {
      const started = await clientAt(access).startRun({
        assignments: [...assignments],
        until: untilOf(args.until, context),
        rounds: args.rounds,
        turns: args.turns,
        budgetUsd: args.budget,
        priority: args.priority,
        keys: keysFor(providers, { settings, env: context.env }),
        clientEnv: modelEnvironment(context.env),
        // Without a user, a paused session would hang for good.
        attended: canAsk(context) && !context.flags.json,
      });
      context.json({ event: 'run.started', run: started.id });
      await printHeader(started, { access, settings, context });
      return followRun(started, { access, settings, context, canDetach });
    });
  },
});

/** The given tasks; if one is missing, the user is prompted for it. */
async function taskOf(
  { task, provider }: Readonly<{ task?: string | undefined; provider: readonly string[] }>,
  settings: Settings,
  context: Context,
): Promise<string | undefined> {
  if (task === '-') return context.readStdin();
  const isMissing =
    task === undefined && !(provider.length > 0 && provider.every((one) => one.includes('=')));
  if (!isMissing || !canAsk(context) || context.flags.json) return task;
  // Problems that prevent a start are reported before the prompt.
  chooseProviders(provider, 'any', { settings, env: context.env });
  return (await context.askLine('Task: ', new AbortController().signal)) ?? undefined;
}

/** A line that the user gave runs in their folder; the workspace's own tests run in the workspace. */
function untilOf(given: string | undefined, context: Context): UntilLine | undefined {
  return given === undefined ? undefined : { line: given, ...cwdInWorkspace(context) };
}

/** The coordinator of the workspace; unconfined, one for this run only. */
async function withCoordinator(
  unconfined: boolean,
  context: Context,
  work: (access: LocalAccess, canDetach: boolean) => Promise<ExitCode>,
): Promise<ExitCode> {
  const what = 'start a run';
  if (!unconfined) return work(await connectCoordinator(context, { what, start: true }), true);
  const { openUnconfined } = await import('../serve/open-unconfined.ts');
  const own = await openUnconfined(context, { subcommand: 'run', what });
  try {
    return await work(own.access, false);
  } finally {
    await own.close();
  }
}

async function printHeader(
  { until, rounds, budgetUsd, id }: RunView,
  { access, settings, context }: Readonly<{ access: LocalAccess; settings: Settings; context: Context }>,
): Promise<void> {
  const [
    {
      mode: { mode },
      isolation,
    },
    { backend },
    { ports },
    git,
  ] = await Promise.all([
    clientAt(access).getSnapshot(),
    clientAt(access).getHello(),
    clientAt(access).getCoordinator(),
    gitFolder(context.directory),
  ]);
  context.say([
    line(
      as('bold', basename(context.directory)),
      ' · ',
      as(MODE_ROLE[mode], mode),
      ` · ${backend === 'redis' ? 'Redis' : backend} · `,
      as(isolation === 'none' ? 'danger' : 'text', `isolation ${isolation}`),
      ` · ${fileWritesText(settings, isolation)}`,
      muted(` · until: ${until === null ? 'every session has finished' : `${until}${atMost(rounds)}`}`),
      muted(budgetUsd === null ? '' : ` · budget ${money(budgetUsd)}`),
    ),
    ...(git === null ? [line(muted('not a git workspace: undo still works'))] : []),
    ...notSetUp(context.directory),
    line(muted(`run ${id} · return to it: signalbox attach`)),
    dashboardLine(ports),
  ]);
}

function atMost(rounds: number): string {
  return rounds === 1 ? '' : `, at most ${rounds} checks`;
}

/** Not a sign-in link: a reader of the screen or of a log of it could use that. */
function dashboardLine([port]: readonly string[]): Line {
  return port === undefined
    ? line(muted('dashboard: signalbox dashboard prints a link that opens it'))
    : line(muted('dashboard: '), as('accent', port), muted(' · signalbox dashboard prints a sign-in link'));
}

/** How file changes are handled here, in the words of the first line of `run`. */
export function fileWritesText({ approval, agents, tools }: Read, layer: string): string {
  const { approval_mode: mode, file_writes: choice, prompt_on_warning: prompts } = approval;
  if (mode === 'deny_all') return 'no call runs';
  if (mode === 'prompt') return 'every call needs approval';
  if (mode === 'allow_all') return 'only dangerous calls need approval';
  const isListed = agents.tool_execution.require_approval_tools?.some((name) => /^write|^\*/.test(name));
  if (choice === 'ask' || isListed === true) return 'file writes need approval';
  if (prompts === false || (choice === 'never' && prompts !== true)) return 'file writes never need approval';
  const canUndo = layer === 'overlay' && tools.shell.transactional;
  return canUndo && prompts !== true
    ? 'file writes run if undo can revert them'
    : 'file writes need approval';
}
