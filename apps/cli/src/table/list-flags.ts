import type { Flag } from './subcommand-row.ts';

/** Which commands a list shows. */
export const filterFlags: readonly Flag[] = [
  {
    name: 'filter',
    short: 'f',
    value: 'FILTER',
    text: 'Only what fits: provider:openai tool:bash outcome:failed state:queued level:>=warning path:src or words; - negates',
  },
  { name: 'provider', value: 'ID', text: 'Only of this provider' },
  { name: 'tool', value: 'NAME', text: 'Only calls of this tool' },
  { name: 'outcome', value: 'WORD', many: true, text: 'Only with this outcome: completed, failed, denied …' },
  { name: 'session', value: 'ID', text: 'Only of this session; @last is that of the newest command' },
  {
    name: 'level',
    value: 'LEVEL',
    choices: ['safe', 'warning', 'dangerous', 'blocked'],
    text: 'Only judged so dangerous',
  },
  { name: 'path', value: 'PATH', text: 'Only what touched this file, or something below this folder' },
  {
    name: 'text',
    value: 'WORDS',
    text: 'Only with these words in what it is, its tool, its provider or its id',
  },
  { name: 'since', value: '1d', text: 'Only from so long ago on' },
];
/** Which part of a long list. */
export const pageFlags: readonly Flag[] = [
  { name: 'limit', value: 'N', text: 'At most so many (default 100)' },
  {
    name: 'cursor',
    value: 'CURSOR',
    text: 'What comes behind a page, which names the cursor of the next one when there is more',
  },
];
