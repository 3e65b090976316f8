import { type JsonObject, type Tool, toOutputSchema, toToolOffer } from '@signalbox/core';
import { wrap } from '../terminal/cells.ts';
import { as, type Line, line, muted, type TextRole } from '../terminal/line.ts';
import { duration, type RenderContext } from '../terminal/render-context.ts';
import { tableLines } from '../terminal/table.ts';

const RISK_ROLE: Readonly<Record<Tool['risk'], TextRole>> = {
  low: 'safe',
  medium: 'warning',
  high: 'dangerous',
};

/** The catalogue, one tool per row. */
export function toolsView(tools: readonly Tool[], render: RenderContext): readonly Line[] {
  if (tools.length === 0) return [line('No tools.')];
  const rows = tools.map((tool) => [
    as('bold', tool.name),
    tool.category,
    as(RISK_ROLE[tool.risk], tool.risk),
    tool.policy === 'requires_approval' ? 'asks' : '',
    muted(tool.description.replaceAll(/\s+/g, ' ')),
  ]);
  const columns = [
    { title: 'TOOL' },
    { title: 'CATEGORY' },
    { title: 'RISK' },
    { title: 'ASKS' },
    { title: 'WHAT IT DOES', gives: 'end' },
  ] as const;
  return tableLines(columns, rows, render);
}

/** One tool with its arguments, and what it answers. */
export function toolView(tool: Tool, render: RenderContext): readonly Line[] {
  const rows: readonly (readonly [string, string])[] = [
    [
      'Category',
      `${tool.category}, risk ${tool.risk}${tool.policy === 'requires_approval' ? ', needs approval' : ''}`,
    ],
    ['Modes', tool.allowedModes.join(', ')],
    ['Sandbox', sandboxWords(tool)],
    ['Time', `${duration(tool.timeoutMs)} unless the call sets another`],
    ...(tool.aliases.length === 0 ? [] : [['Also', tool.aliases.join(', ')] as const]),
  ];
  const answer = toOutputSchema(tool);
  return [
    line(as('bold', tool.name)),
    ...tool.description
      .split('\n')
      .flatMap((text) => wrap(text, Math.max(20, render.width - 2)))
      .map((row) => line('  ', row)),
    ...rows.map(([label, text]) => line('  ', muted(label.padEnd(9)), text)),
    line('  ', muted('Arguments')),
    ...schemaLines(toToolOffer(tool).inputSchema),
    ...(answer === null ? [] : [line('  ', muted('Answer')), ...schemaLines(answer)]),
  ];
}

function schemaLines(schema: JsonObject): readonly Line[] {
  return JSON.stringify(schema, null, 2)
    .split('\n')
    .map((row) => line('  ', ...(/^ */.exec(row)?.[0].match(/ {1,8}/g) ?? []), row.trimStart()));
}

function sandboxWords({ kind, requiresSandbox }: Tool): string {
  if (kind === 'mcp') return 'the one of its server: signalbox tools';
  return requiresSandbox ? 'needed' : 'not needed: it accesses files itself';
}
