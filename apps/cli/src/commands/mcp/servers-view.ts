import type { KnownServer } from './known-servers.ts';
import { reachInWords, rightsInWords } from './server-words.ts';
import { as, type Line, line, muted, type TextRole } from '../../terminal/line.ts';
import { cutEnd } from '../../terminal/cells.ts';
import type { RenderContext } from '../../terminal/render-context.ts';

/** MCP servers with their rights and states; empty if there are none. */
export function serversView(
  servers: readonly KnownServer[],
  render: Pick<RenderContext, 'width'>,
): readonly Line[] {
  return servers.flatMap((server) => serverLines(server, render.width));
}

function serverLines({ name, settings, state, tools, leftOut }: KnownServer, width: number): readonly Line[] {
  const changed = tools.filter(({ isChanged }) => isChanged === true).map((tool) => tool.name);
  const detail = (role: TextRole, text: string): Line => line('  ', as(role, cutEnd(text, width - 2)));
  return [
    line(),
    line(
      as('bold', `mcp ${name}`),
      '  ',
      as(state === 'ready' ? 'ok' : 'warn', state),
      muted(`  ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`),
    ),
    detail('muted', reachInWords(settings)),
    detail(
      settings.reach.kind === 'stdio' && !settings.reach.sandbox ? 'warn' : 'muted',
      rightsInWords(settings),
    ),
    ...(settings.isAgreed ? [] : [detail('accent', `signalbox tools trust ${name}`)]),
    ...changed.map((tool) =>
      detail('warn', `${tool} changed since it was approved: its next call needs approval`),
    ),
    ...leftOut.map((tool) => detail('warn', `left out ${tool}`)),
  ];
}
