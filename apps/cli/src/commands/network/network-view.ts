import type { NetworkProfile } from '@signalbox/core';
import { newHosts, type Proposal, type Wanted } from '../../runtime/rules/proposals.ts';
import { column, cells, cutMiddle, wrap } from '../../terminal/cells.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';

/** A host's column where all are short. */
const HOST_WIDTH = 36;
/** And where long ones and their reasons don't fit beside each other. */
const LEAST_HOST_WIDTH = 24;

const MEANS: Readonly<Record<NetworkProfile, string>> = {
  packages: 'to install and look up packages; publishing always asks',
  remotes: 'to fetch from git; pushing always asks',
  localhost: 'servers of this machine',
};

/** Which hosts the project names, and which of them need no question, in rows of that width. */
export function networkView(proposals: readonly Proposal[], width: number): readonly Line[] {
  const rows = proposals.map((one) => ({ ...one, rows: rowsOf(one) }));
  const hostWidth = hostWidthOf(
    rows.flatMap((one) => one.rows),
    width,
  );
  const fresh = proposals.filter((one) => newHosts(one).length > 0).map(({ profile }) => profile);
  return [
    ...rows.flatMap((one, at) => [...(at === 0 ? [] : [line('')]), ...proposalLines(one, hostWidth)]),
    line(''),
    ...(fresh.length > 0
      ? [
          line(muted('Next: '), as('accent', `signalbox network allow ${fresh.join(' ')}`)),
          ...wrap(THEN, width - 6).map((row) => line('      ', muted(row))),
        ]
      : [line(muted('Every host that this project names was agreed to.'))]),
  ];
}

const THEN = 'lines that reach no other hosts then run without a question, where undo can take them back';

type HostRow = Readonly<{ pattern: string; isAgreed: boolean; text: string }>;

function rowsOf({ hosts, others }: Proposal): readonly HostRow[] {
  return [
    ...hosts.map(({ pattern, from, source, isAgreed }) => {
      const why = from ?? `usual for ${source}`;
      return { pattern, isAgreed, text: isAgreed ? why : `asks · ${why}` };
    }),
    ...others.map((pattern) => ({ pattern, isAgreed: true, text: 'agreed to by you' })),
  ];
}

function hostWidthOf(rows: readonly HostRow[], width: number): number {
  const longest = Math.max(HOST_WIDTH, ...rows.map(({ pattern }) => cells(pattern) + 2));
  const room = width - 4 - Math.max(0, ...rows.map(({ text }) => cells(text)));
  return Math.min(longest, Math.max(LEAST_HOST_WIDTH, room));
}

function proposalLines(
  { profile, rows }: Readonly<{ profile: NetworkProfile; rows: readonly HostRow[] }>,
  hostWidth: number,
): readonly Line[] {
  return [
    line(as('bold', profile), muted(` · ${MEANS[profile]}`)),
    ...(rows.length === 0 ? [line(muted('  none'))] : []),
    ...rows.map(({ pattern, isAgreed, text }) =>
      line(
        '  ',
        isAgreed ? as('ok', '✓') : as('warn', '?'),
        ' ',
        column(cutMiddle(pattern, hostWidth - 2), hostWidth),
        muted(text),
      ),
    ),
  ];
}

/** What a person is asked to agree to. */
export function agreeView(wanted: Wanted): readonly Line[] {
  return [
    line('Lines that reach only these hosts, and that undo can take back, run unasked:'),
    ...[...wanted].flatMap(([profile, hosts]) => [
      line('  ', as('bold', profile), muted(` · ${MEANS[profile]}`)),
      ...hosts.map((host) => line('    ', host)),
    ]),
    line(muted('Install scripts reach these hosts too. A host added later asks again.')),
  ];
}
