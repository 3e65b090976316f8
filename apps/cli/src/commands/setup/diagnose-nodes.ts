import type { SeenNode, Settings } from '@signalbox/core';
import { clockTime } from '../../terminal/render-context.ts';
import type { DoctorCheck } from '../../views/doctor-view.ts';

/** Labels that commands of a tool or a provider require of their worker. */
export type WantedLabels = Readonly<{ of: string; labels: readonly string[] }>;

type Here = Readonly<{
  /** Names of the marks in this tree. */
  marks: ReadonlySet<string>;
  /** Of this program. */
  version: string;
  wanted: readonly WantedLabels[];
}>;

/** A node sends a heartbeat every 6 s; after 30 s without one the others count it as dead. */
const LATE_MS = 15_000;

/** The nodes of a workspace on Redis, and each one's problems. */
export function diagnoseNodes(seen: readonly SeenNode[], here: Here): readonly DoctorCheck[] {
  if (seen.length === 0) return [NOBODY];
  const workers = seen.filter(({ member, isAlive }) => isAlive && member.kind === 'worker');
  const unmet = here.wanted.filter(
    ({ labels }) => !workers.some(({ member }) => labels.every((label) => member.labels.includes(label))),
  );
  return [...seen.map((one) => diagnose(one, here)), ...unmet.map(noSuchWorker)];
}

/** For each tool and provider whose settings require labels. */
export function wantedLabels({ providers, tools }: Settings): readonly WantedLabels[] {
  return [...Object.entries(tools.policies), ...Object.entries(providers)].flatMap(([of, { sandbox }]) => {
    const labels = sandbox?.labels ?? [];
    return labels.length === 0 ? [] : [{ of, labels }];
  });
}

const NOBODY: DoctorCheck = {
  id: 'Redis',
  ok: true,
  stops: false,
  why: 'answers; no coordinator runs in this workspace: signalbox serve',
};

function diagnose(one: SeenNode, here: Here): DoctorCheck {
  const { id, kind, host, pid, labels, concurrency } = one.member;
  const slots = concurrency === 0 ? 'draining' : `${concurrency} at once`;
  const offers = kind === 'worker' ? [slots, ...labels] : [];
  const seen = one.seenMsAgo === null ? [] : [`seen ${clockTime(one.seenMsAgo)} ago`];
  const what = [`${id} on ${host}`, `process ${pid}`, ...offers, ...seen].join(', ');
  const fault = faultOf(one, here);
  return fault === null
    ? { id: kind, ok: true, stops: false, why: what }
    : { id: kind, ok: false, stops: false, why: `${what}: ${fault.why}`, fix: fault.fix };
}

function faultOf(
  { member, isAlive, seenMsAgo }: SeenNode,
  { marks, version }: Here,
): Readonly<{ why: string; fix: string }> | null {
  const { id, kind, host, pid } = member;
  if (!isAlive) {
    const start = kind === 'worker' ? 'signalbox worker' : 'signalbox serve';
    return {
      why: 'it is dead; a live coordinator takes over its commands',
      fix: `${start}   on ${host}, for another one`,
    };
  }
  if (seenMsAgo !== null && seenMsAgo > LATE_MS) {
    return {
      why: 'no heartbeat for some time; after 0:30 the others treat it as dead',
      fix: `check process ${pid} on ${host} and its connection to Redis`,
    };
  }
  if (!marks.has(id)) {
    return {
      why: 'its mark is missing in .signalbox/members here: it works in another tree',
      fix: 'mount the same tree on both',
    };
  }
  if (member.version !== version) {
    return {
      why: `it runs Signalbox ${member.version}, this is ${version}`,
      fix: 'run the same version everywhere',
    };
  }
  return null;
}

function noSuchWorker({ of, labels }: WantedLabels): DoctorCheck {
  return {
    id: 'worker',
    ok: false,
    stops: false,
    why: `no worker offers ${labels.join(' ')}, which the settings of ${of} require: its commands fail`,
    fix: `signalbox worker --labels ${labels.join(',')}`,
  };
}
