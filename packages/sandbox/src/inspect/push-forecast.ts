import { type Inspector, type PreviewCommit, type PushForecast, UnavailableError } from '@signalbox/core';
import { inRepository, type Repository, type RepositoryOptions } from './open-repository.ts';

const MAX_COMMITS = 20;
const MAX_REFS = 5;
const MAX_LOG_BYTES = 64 * 1024;

type Step = Parameters<Inspector['push']>[0];
type Ref = Readonly<{ from: string; to: string; isForced: boolean }>;

/** Predicts what a push would send and overwrite, from the refs of the last fetch. Contacts no server. */
export async function pushForecast(step: Step, options: RepositoryOptions): Promise<readonly PushForecast[]> {
  return inRepository(step.cwd, options, async (repository) => {
    const remote = step.remote ?? (await defaultRemote(repository));
    const url = await urlOf(remote, repository);
    const refs = await refsOf(step, remote, repository);
    const notes = [
      ...step.also.map((name) => `also --${name}`),
      ...(refs.length > MAX_REFS ? [`and ${refs.length - MAX_REFS} more refs`] : []),
    ];
    const shown: PushForecast[] = [];
    for (const ref of refs.slice(0, MAX_REFS)) {
      const facts = await forecast(ref, { step, remote, repository });
      shown.push({ remote: withoutCredentials(remote), url, ...facts, notes });
    }
    return shown;
  });
}

async function defaultRemote({ refs, setting }: Repository): Promise<string> {
  const { branch } = refs.head;
  const own = async (key: string) =>
    branch === null ? undefined : setting(`branch.${branch}.${key.toLowerCase()}`);
  return (
    (await own('pushRemote')) ?? (await setting('remote.pushdefault')) ?? (await own('remote')) ?? 'origin'
  );
}

/** The remote's URL, or the address itself if one is given instead. */
async function urlOf(remote: string, { setting }: Repository): Promise<string | null> {
  const url = (await setting(`remote.${remote}.pushurl`)) ?? (await setting(`remote.${remote}.url`));
  if (url !== undefined) return withoutCredentials(url);
  return /[/:]/.test(remote) ? withoutCredentials(remote) : null;
}

/** `https://user:secret@host/x` → `https://host/x`. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]{0,20}:\/\/)[^/?#]*@/i, '$1').replace(/[?#].*$/s, '');
}

async function refsOf(step: Step, remote: string, { refs, setting }: Repository): Promise<readonly Ref[]> {
  const { branch } = refs.head;
  if (step.refs.length > 0) return step.refs.map((ref) => toRef(ref, branch, step));
  if (step.also.some((name) => name !== 'follow-tags' && name !== 'prune')) {
    const prefix = step.also.includes('tags') && step.also.length === 1 ? 'refs/tags/' : 'refs/heads/';
    const names = [...(await refs.below(prefix)).keys()].map((name) => name.slice(prefix.length));
    return names.map((name) => ({ from: name, to: name, isForced: step.isForced }));
  }
  if (branch === null) throw new UnavailableError('no-branch', 'no branch is checked out');
  const merge =
    (await setting(`branch.${branch}.remote`)) === remote && (await setting('push.default')) === 'upstream';
  const to = merge ? ((await setting(`branch.${branch}.merge`)) ?? branch) : branch;
  return [{ from: branch, to: shortName(to), isForced: step.isForced }];
}

/** `main`, `a:b`, `+a:b`, `:gone`. */
function toRef(written: string, branch: string | null, step: Step): Ref {
  const isForced = step.isForced || written.startsWith('+');
  const text = written.replace(/^\+/, '');
  const at = text.indexOf(':');
  const named = (name: string): string =>
    name === 'HEAD' || name === '@' ? (branch ?? name) : shortName(name);
  if (step.isDelete) return { from: '', to: named(text), isForced };
  if (at < 0) return { from: text, to: named(text), isForced };
  return { from: text.slice(0, at), to: shortName(text.slice(at + 1)), isForced };
}

function shortName(name: string): string {
  return name.replace(/^refs\/(?:heads|tags)\//, '');
}

async function forecast(
  { from, to, isForced }: Ref,
  { remote, repository }: { step: Step; remote: string; repository: Repository },
): Promise<Pick<PushForecast, 'from' | 'to' | 'deed' | 'commits' | 'commitCount' | 'lost' | 'lostCount'>> {
  const { refs } = repository;
  const there = await refs.find(`refs/remotes/${remote}/${to}`);
  const nothing = { commits: [], commitCount: 0, lost: [], lostCount: 0 };
  if (from === '') {
    const lost =
      there === undefined
        ? NONE
        : await commitsOf([there, ...(await except(there, remote, refs))], repository);
    return { from, to, deed: 'delete', ...nothing, lost: lost.commits, lostCount: lost.count };
  }
  const here = await commitAt(from, refs);
  if (here === undefined) throw new UnavailableError('no-ref', `there is no branch or tag "${from}" here`);
  if (there === undefined) {
    const known = [...(await refs.below(`refs/remotes/${remote}/`)).values()].map((id) => `^${id}`);
    const { commits, count } = await commitsOf([here, ...known], repository);
    return { from: shortName(from), to, deed: 'create', ...nothing, commits, commitCount: count };
  }
  const sent = await commitsOf([here, `^${there}`], repository);
  const lost = isForced ? await commitsOf([there, `^${here}`], repository) : NONE;
  return {
    from: shortName(from),
    to,
    deed: isForced ? 'overwrite' : 'update',
    commits: sent.commits,
    commitCount: sent.count,
    lost: lost.commits,
    lostCount: lost.count,
  };
}

type Commits = Readonly<{ commits: readonly PreviewCommit[]; count: number }>;
const NONE: Commits = { commits: [], count: 0 };

/** Commits of the remote's other branches are not lost. */
async function except(there: string, remote: string, refs: Repository['refs']): Promise<readonly string[]> {
  const others = [...(await refs.below(`refs/remotes/${remote}/`)).values()];
  return others.filter((id) => id !== there).map((id) => `^${id}`);
}

async function commitAt(name: string, refs: Repository['refs']): Promise<string | undefined> {
  if (name === 'HEAD' || name === '@') return refs.head.commit ?? undefined;
  if (/^[0-9a-f]{40}$/.test(name)) return name;
  for (const prefix of ['', 'refs/heads/', 'refs/tags/', 'refs/']) {
    const found = await refs.find(`${prefix}${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

export async function commitsOf(range: readonly string[], { git }: Repository): Promise<Commits> {
  const revisions = range.slice(0, 500);
  const counted = await git(['rev-list', '--count', '--max-count=10000', ...revisions, '--'], 100);
  const log = ['log', '--no-show-signature', '--no-mailmap', '--no-color', '--no-notes', '-z'];
  const { text } = await git(
    [...log, `--max-count=${MAX_COMMITS}`, '--format=%h%x09%s', ...revisions, '--'],
    MAX_LOG_BYTES,
  );
  const commits = text.split('\0').flatMap((row): PreviewCommit[] => {
    const at = row.indexOf('\t');
    return at < 0 ? [] : [{ id: row.slice(0, at), subject: row.slice(at + 1, at + 201).toWellFormed() }];
  });
  return { commits, count: Number(counted.text.trim()) || commits.length };
}
