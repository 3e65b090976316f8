import type { CommandQuery } from '@signalbox/api';
import type { PageFilter } from '@signalbox/core';

type Query = Omit<CommandQuery, 'id'>;

export function filterOf(query: Query): PageFilter {
  const { session, state, outcome, cursor, limit, text, level, path, provider, tool, from, to } = query;
  return {
    limit,
    cursor,
    text,
    level,
    path,
    ...(provider === undefined ? {} : { provider }),
    ...(session === undefined ? {} : { sessionId: session }),
    ...(tool === undefined ? {} : { tool }),
    ...(state === undefined ? {} : { states: state }),
    ...(outcome === undefined ? {} : { outcomes: outcome }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}
