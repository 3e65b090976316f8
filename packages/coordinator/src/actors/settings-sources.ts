/** Sources of settings and tools: files, and the MCP servers that offer tools. */
export type WatchedSource = 'files' | 'mcp_servers';

export type SourceStep =
  /** New content took effect. */
  | { readonly type: 'source.changed'; readonly source: WatchedSource; readonly at: number }
  /** The content that was in effect before is valid again. */
  | { readonly type: 'source.accepted'; readonly source: WatchedSource; readonly at: number }
  /** The content can't be used; the previous content stays in effect. */
  | {
      readonly type: 'source.refused';
      readonly source: WatchedSource;
      readonly at: number;
      readonly why: string;
    };

/** A source that has changed since the start. */
export type SourceState = {
  readonly state: 'changed' | 'refused';
  /** Epoch milliseconds. */
  readonly at: number;
  readonly why?: string;
};

export type SettingsSources = Readonly<Partial<Record<WatchedSource, SourceState>>>;

export function settingsSources(sources: SettingsSources, step: SourceStep): SettingsSources {
  const { source, at } = step;
  if (step.type === 'source.accepted' && sources[source]?.state !== 'refused') return sources;
  const state: SourceState =
    step.type === 'source.refused' ? { state: 'refused', at, why: step.why } : { state: 'changed', at };
  return { ...sources, [source]: state };
}
