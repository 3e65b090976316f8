import type { ProviderId, Tool } from '@signalbox/core';

/** Names of providers that no settings hold, such as agents that come by themselves, before they are all one. */
const MOST_STRANGERS = 32;

/** Names as labels: whatever clients send, there are so many and no more, since each is a series that is kept for ever. */
export type MetricLabels = {
  tool(name: string): string;
  provider(id: string): string;
};

/** What is not known is `other`. */
export function createMetricLabels(known: {
  /** Those that are registered now. */
  readonly tool: (name: string) => Pick<Tool, 'name'> | undefined;
  /** Those of the settings. */
  readonly providers: () => readonly { readonly id: ProviderId }[];
}): MetricLabels {
  const strangers = new Set<string>();
  return {
    tool: (name) => known.tool(name)?.name ?? OTHER,
    provider(id) {
      if (id === YOU || strangers.has(id) || known.providers().some((one) => one.id === id)) return id;
      if (strangers.size >= MOST_STRANGERS) return OTHER;
      strangers.add(id);
      return id;
    },
  };
}

const OTHER = 'other';
/** A person's own lines. */
const YOU = 'you';
