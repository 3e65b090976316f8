import { LoggedInTool, type Settings, UsageError } from '@signalbox/core';
import { loadDraft, reportChange } from '../../runtime/rules/draft.ts';
import { openSettingsFile } from '../../runtime/rules/settings-files.ts';
import type { Context } from '../../runtime/contract/context.ts';
import { askYes, canAsk } from '../../live/ask-yes.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { changedYaml } from '../../runtime/settings/changed-yaml.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { fileChangeView } from '../../views/command/file-change-view.ts';
import { findLogins, type Login } from './find-logins.ts';

type Reads = Settings['approval']['reads'];

/**
 * `signalbox rules reads [on|off]`: the preset for lines that only read, with tools you are logged in to. Says what it
 * opens before it does.
 */
export async function switchReads(
  { to, isAgreed }: { readonly to: string | undefined; readonly isAgreed: boolean },
  context: Context,
): Promise<ExitCode> {
  const { settings } = await loadSettings(context);
  const { reads } = settings.approval;
  const logins = await findLogins(context.env['HOME'] ?? '/');
  if (to === undefined) {
    context.answer({ json: () => ({ reads, logins }), lines: () => readsView(reads, logins) });
    return EXIT.ok;
  }
  if (to !== 'on' && to !== 'off') {
    throw new UsageError('usage', `Cannot switch reads to "${to}": it must be on or off`, {
      next: ['signalbox rules reads on'],
    });
  }
  refuseInsideCommand(context, 'switch reads');
  if (to === 'off')
    return store(Object.fromEntries(LoggedInTool.options.map((tool) => [tool, null])), context);
  if (logins.length === 0) {
    context.answer({ json: () => ({ reads, changed: false }), lines: () => readsView(reads, logins) });
    return EXIT.ok;
  }
  context.tell(opensView(logins));
  if (!isAgreed && !canAsk(context)) {
    throw new UsageError('needs-approval', 'Cannot switch reads on: there is no terminal to confirm on', {
      next: ['signalbox rules reads on --yes'],
    });
  }
  if (!isAgreed && !(await askYes('Allow these lines without approval?', context))) return EXIT.needsApproval;
  return store(Object.fromEntries(logins.map(({ tool, hosts }) => [tool, hosts])), context);
}

async function store(change: Partial<Reads>, context: Context): Promise<ExitCode> {
  const before = await loadSettings(context);
  const file = await openSettingsFile('local', context);
  const after = Object.entries(change).reduce(
    (text, [tool, hosts]) =>
      changedYaml(file.name, text, {
        path: ['approval', 'reads', tool],
        value: hosts === null ? undefined : [...hosts],
      }),
    file.text ?? '',
  );
  const loaded = await loadDraft('switch reads', new Map([[file.path, after]]), context);
  const changed = after !== (file.text ?? '');
  if (changed) await file.write(after);
  context.answer({
    json: () => ({ reads: loaded.settings.approval.reads, changed, file: file.name }),
    lines: () =>
      fileChangeView({ name: file.name, purpose: 'yours, for this workspace', before: file.text, after }),
  });
  reportChange(before, loaded, context);
  return EXIT.ok;
}

function readsView(reads: Reads, logins: readonly Login[]): readonly Line[] {
  if (logins.length === 0)
    return [line(muted('You are not logged in to gh, kubectl or docker here: nothing to switch on.'))];
  const isOff = logins.some(({ tool }) => reads[tool] === null);
  return [
    ...logins.map(({ tool, examples }) =>
      line(
        reads[tool] === null ? as('warn', 'asks ') : as('ok', 'runs '),
        as('bold', tool.padEnd(9)),
        muted(examples),
      ),
    ),
    line(muted('Next: '), as('accent', `signalbox rules reads ${isOff ? 'on' : 'off'}`)),
  ];
}

function opensView(logins: readonly Login[]): readonly Line[] {
  return [
    line('Read-only shell lines of these tools would run without approval, logged in as you:'),
    ...logins.flatMap(({ tool, opens, hosts, examples }) => [
      line('  ', as('bold', tool.padEnd(9)), examples),
      line('    ', muted('reads    '), opens),
      line('    ', muted('talks to '), hosts.length === 0 ? 'no host' : hosts.join(', ')),
    ]),
    line(
      muted('Their output goes to your providers: issues, logs and names that strangers may have written.'),
    ),
  ];
}
