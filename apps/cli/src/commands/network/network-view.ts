import type { NetworkProfile } from '@signalbox/core';
import { newHosts, type Proposal, type Wanted } from '../../runtime/rules/proposals.ts';
import { column } from '../../terminal/cells.ts';
import { as, type Line, line, muted } from '../../terminal/line.ts';

const HOST_WIDTH = 36;

const MEANS: Readonly<Record<NetworkProfile, string>> = {
  packages: 'to install and look up packages; publishing always asks',
  remotes: 'to fetch from git; pushing always asks',
  localhost: 'servers of this machine',
};

/** Which hosts the project names, and which of them need no question. */
export function networkView(proposals: readonly Proposal[]): readonly Line[] {
  const fresh = proposals.filter((one) => newHosts(one).length > 0).map(({ profile }) => profile);
  return [
    ...proposals.flatMap((one, at) => [...(at === 0 ? [] : [line('')]), ...proposalLines(one)]),
    line(''),
    ...(fresh.length > 0
      ? [
          line(muted('Next: '), as('accent', `signalbox network allow ${fresh.join(' ')}`)),
          line(
            muted(
              '      lines that reach no other hosts then run without a question, where undo can take them back',
            ),
          ),
        ]
      : [line(muted('Every host that this project names was agreed to.'))]),
  ];
}

function proposalLines({ profile, hosts, others }: Proposal): readonly Line[] {
  const rows = [
    ...hosts.map(({ pattern, from, source, isAgreed }) => ({
      pattern,
      isAgreed,
      why: from ?? `usual for ${source}`,
    })),
    ...others.map((pattern) => ({ pattern, isAgreed: true, why: 'agreed to by you' })),
  ];
  return [
    line(as('bold', profile), muted(` · ${MEANS[profile]}`)),
    ...(rows.length === 0 ? [line(muted('  none'))] : []),
    ...rows.map(({ pattern, isAgreed, why }) =>
      line(
        '  ',
        isAgreed ? as('ok', '✓') : as('warn', '?'),
        ' ',
        column(pattern, HOST_WIDTH),
        muted(isAgreed ? why : `asks · ${why}`),
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
