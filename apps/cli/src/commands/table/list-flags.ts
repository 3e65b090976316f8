import type { Flag } from './subcommand-row.ts';

/** Which commands a list shows. */
export const filterFlags: readonly Flag[] = [
  {
    name: 'filter',
    short: 'f',
    value: 'FILTER',
    text: 'Filter: provider:openai tool:bash outcome:failed state:waiting level:>=warning path:src or free text; prefix - to exclude',
  },
  { name: 'provider', value: 'ID', text: 'Only commands of this provider' },
  { name: 'tool', value: 'NAME', text: 'Only commands of this tool' },
  {
    name: 'outcome',
    value: 'WORD',
    many: true,
    text: 'Only commands with this outcome: completed, failed, denied …',
  },
  { name: 'session', value: 'ID', text: 'Only commands of this session; @last: that of the newest command' },
  {
    name: 'level',
    value: 'LEVEL',
    choices: ['safe', 'warning', 'dangerous', 'blocked'],
    text: 'Only commands of this level',
  },
  { name: 'path', value: 'PATH', text: 'Only commands that touched this file or folder' },
  {
    name: 'text',
    value: 'WORDS',
    text: 'Search title, tool, provider and id',
  },
  { name: 'since', value: '1d', text: 'Only the last 1d, 2h, …' },
];
/** Which part of a long list. */
export const pageFlags: readonly Flag[] = [
  { name: 'limit', value: 'N', text: 'Maximum number of results (default: 100)' },
  {
    name: 'cursor',
    value: 'CURSOR',
    text: 'Continue from this cursor (printed when there are more results)',
  },
];
