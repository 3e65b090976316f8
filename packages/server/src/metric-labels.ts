import type { ProviderId, Tool } from '@signalbox/core';

/** Bounds the label values, whatever clients send: each value is a series that is kept for ever. */
export type MetricLabels = {
  tool(name: string): string;
  provider(id: string): string;
};

/** Agents that `connect` knows, a person's own lines, and the agent of `mcp` without a name. */
const KNOWN: ReadonlySet<string> = new Set(
  'you agent claude-code codex gemini opencode cursor vscode'.split(' '),
);

/** Unknown names, which agents choose themselves, share the label `other`. */
export function createMetricLabels(known: {
  /** Tools registered now. */
  readonly tool: (name: string) => Pick<Tool, 'name'> | undefined;
  /** Providers of the settings. */
  readonly providers: () => readonly { readonly id: ProviderId }[];
}): MetricLabels {
  return {
    tool: (name) => known.tool(name)?.name ?? OTHER,
    provider: (id) => (KNOWN.has(id) || known.providers().some((one) => one.id === id) ? id : OTHER),
  };
}

const OTHER = 'other';
