import { dirname } from 'node:path';
import { type McpServerSettings, UsageError } from '@signalbox/core';
import type { Context } from '../../runtime/contract/context.ts';
import { EXIT, type ExitCode } from '../../runtime/contract/exit-code.ts';
import { refuseInsideCommand } from '../../client/refuse-inside-command.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';
import { loadSettings } from '../../runtime/settings/load-settings.ts';
import { settingsFiles } from '../../runtime/settings/settings-files.ts';
import { readAgreedServers } from '../../runtime/settings/agreed-servers.ts';
import { reachInWords, rightsInWords, variablesOf } from './server-words.ts';

/** `signalbox tools trust [SERVER]`: shows what a server of the repository would start, and asks for your agreement. */
export async function trustServers(
  { server: wanted, isAgreed }: { readonly server: string | undefined; readonly isAgreed: boolean },
  context: Context,
): Promise<ExitCode> {
  refuseInsideCommand(context, 'trust servers');
  const { settings } = await loadSettings(context);
  const shared = Object.entries(settings.mcp_servers).filter(([, { layer }]) => layer === 'workspace');
  if (wanted !== undefined && !shared.some(([name]) => name === wanted)) throw unknownServer(wanted, shared);
  const fresh = shared.filter(([name, one]) => !one.isAgreed && (wanted ?? name) === name);
  if (fresh.length === 0) {
    context.answer({
      json: () => ({ agreed: [] }),
      lines: () => [line(muted('Every shared server is trusted.'))],
    });
    return EXIT.ok;
  }
  context.tell(fresh.flatMap(([name, one]) => shown(name, one)));
  if (!isAgreed && !(await agrees(fresh.length, context))) {
    context.answer({ json: () => ({ agreed: [] }), lines: () => [line(muted('Nothing was trusted.'))] });
    return EXIT.needsApproval;
  }
  const agreed = await readAgreedServers(dirname(settingsFiles(context).user), context.directory);
  const names = new Set(fresh.map(([name]) => name));
  await agreed.replace(Object.fromEntries(shared.filter(([name, one]) => one.isAgreed || names.has(name))));
  context.answer({
    json: () => ({ agreed: [...names] }),
    lines: () => [
      line(
        `Trusted ${[...names].join(', ')}, `,
        muted('until the definition changes; starts with the next run'),
      ),
    ],
  });
  return EXIT.ok;
}

/** Everything the agreement covers. */
function shown(name: string, server: McpServerSettings): readonly Line[] {
  const { reach, words, tools, trustAnnotations, source } = server;
  const given = variablesOf(server);
  const freer = [
    ...(trustAnnotations ? ['its own risk annotations of its tools are used'] : []),
    ...[['all its tools', words] as const, ...Object.entries(tools)].flatMap(([tool, said]) =>
      Object.entries(said)
        .filter(([key, value]) => value !== undefined && key !== 'enabled')
        .map(([key, value]) => `${tool}: ${key} ${JSON.stringify(value)}`),
    ),
  ];
  return [
    line(as('bold', name), muted(`  ${source}`)),
    line('  ', as('warn', reachInWords(server))),
    line('  ', muted('runs      '), rightsInWords(server)),
    ...(reach.kind === 'stdio' && reach.cwd !== '.' ? [line('  ', muted('in        '), reach.cwd)] : []),
    ...(reach.kind === 'stdio' && Object.keys(reach.env).length > 0
      ? [
          line(
            '  ',
            muted('variables '),
            Object.entries(reach.env)
              .map(([key, value]) => `${key}=${value}`)
              .join(' '),
          ),
        ]
      : []),
    ...(given.length > 0
      ? [line('  ', muted('is given  '), as('warn', given.join(', ')), ' of your environment')]
      : []),
    ...freer.map((word) => line('  ', muted('settings  '), word)),
  ];
}

function unknownServer(name: string, shared: readonly (readonly [string, unknown])[]): UsageError {
  return new UsageError('unknown-server', `Cannot trust server "${name}": no shared file names it`, {
    why: [
      shared.length === 0
        ? 'signalbox.yaml names no MCP server; your own need no trust'
        : `there are ${shared.map(([one]) => one).join(', ')}`,
    ],
    next: ['signalbox tools'],
  });
}

async function agrees(count: number, context: Context): Promise<boolean> {
  if (!context.flags.input || !context.terminal.stdin.tty) return false;
  const { signal } = new AbortController();
  const question = `Let ${count === 1 ? 'this server' : `these ${count} servers`} start here? [y/N] `;
  const answer = await context.askLine(question, signal);
  return answer !== null && /^y(?:es)?$/i.test(answer.trim());
}
