import type { NetworkProfile } from '@signalbox/core';
import type { Addresses } from '../../runtime/rules/agreement.ts';
import { newHosts, type ImportProposal, type WantedRule } from '../../runtime/rules/proposals.ts';
import { column, cells, cutMiddle, wrap } from '../../terminal/cells.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';

/** Width of the host column if all hosts are short. */
const HOST_WIDTH = 36;
/** Minimum width if long hosts and their reasons don't fit next to each other. */
const LEAST_HOST_WIDTH = 24;

const MEANS: Readonly<Record<NetworkProfile, string>> = {
  packages: 'to install and look up packages; publishing always needs approval',
  remotes: 'to fetch from git; pushing always needs approval',
  localhost: 'servers on this machine',
};

/** The project's hosts, and which of them need no approval, in rows of that width. */
export function networkView(proposals: readonly ImportProposal[], width: number): readonly Line[] {
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
      : [line(muted('Every host that this project names is already allowed.'))]),
  ];
}

const THEN = 'lines that reach only these hosts then run without approval if they can be undone';

/** Of a machine, with or without a port. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[^\]]*\])(?::\S+)?$/;

type HostRow = Readonly<{ pattern: string; isAgreed: boolean; text: string }>;

function rowsOf({ hosts, others }: ImportProposal): readonly HostRow[] {
  return [
    ...hosts.map(({ pattern, from, source, isAgreed }) => {
      const why = from ?? `usual for ${source}`;
      return { pattern, isAgreed, text: isAgreed ? why : `needs approval · ${why}` };
    }),
    ...others.map((pattern) => ({
      pattern,
      isAgreed: true,
      text: ADDRESS.test(pattern) ? 'an address, allowed by you' : 'allowed by you',
    })),
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

/** What the user is asked to agree to, and the reason for each host. */
export function agreeView(
  wanted: WantedRule,
  width: number,
  { addresses, proposals }: Readonly<{ addresses: Addresses; proposals: readonly ImportProposal[] }>,
): readonly Line[] {
  const why = (host: string): string => {
    const named = proposals.flatMap(({ hosts }) => hosts).find(({ pattern }) => pattern === host);
    if (named !== undefined) return named.from ?? `usual for ${named.source}`;
    const [first, ...more] = [...addresses].flatMap(([of, found]) => (found.includes(host) ? [of] : []));
    if (first === undefined) return '';
    return `address here of ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
  };
  const rows = [...wanted].map(([profile, hosts]) => ({
    profile,
    rows: hosts.map((pattern) => ({ pattern, isAgreed: false, text: why(pattern) })),
  }));
  const hostWidth = hostWidthOf(
    rows.flatMap((one) => one.rows),
    width,
  );
  return [
    line('Lines that reach only these hosts and can be undone will run without approval:'),
    ...rows.flatMap((one) => [
      line('  ', as('bold', one.profile), muted(` · ${MEANS[one.profile]}`)),
      ...one.rows.map(({ pattern, text }) =>
        line('    ', column(cutMiddle(pattern, hostWidth - 2), hostWidth), muted(text)),
      ),
    ]),
    line(muted('Install scripts can reach these hosts too. A host added later needs approval again.')),
  ];
}
