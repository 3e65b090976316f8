import { type Inspector, nearestWord } from '@signalbox/core';
import { type CheckoutUse, checkoutUseOf, type RequiredPart, remoteUseOf } from '@signalbox/policy';
import { failureOf, type NoEffect } from './without-effect.ts';

type GitObstacle = NonNullable<Awaited<ReturnType<Inspector['obstacle']>>>;

/** A push or fetch without a remote, or a push or checkout of a missing ref. */
export async function gitWithoutEffect(
  part: RequiredPart,
  inspector: Pick<Inspector, 'obstacle'>,
): Promise<NoEffect | undefined> {
  const { program, args, cwd } = part;
  const words = args.filter((word) => word !== null);
  if (program !== 'git' || cwd === null || words.length < args.length) return undefined;
  if (words.some((word) => HELP.has(word))) return undefined;
  const checkout = checkoutUseOf(words, cwd);
  if (checkout !== null) return checkoutWithoutEffect(checkout, part, inspector);
  const use = remoteUseOf(words, cwd);
  if (use === null) return undefined;
  const { verb, refs } = use;
  const location = { cwd: use.cwd, remote: use.remote };
  const obstacle = await inspector.obstacle(
    verb === 'push' ? { kind: 'push', ...location, refs } : { kind: 'fetch', ...location },
  );
  if (obstacle === null) return undefined;
  return {
    failure: failureOf(part, { verb, ...wordsOf(obstacle, verb) }),
    mayChange: () => false,
    mayBePrepared: true,
  };
}

async function checkoutWithoutEffect(
  { verb, cwd, ref }: CheckoutUse,
  part: RequiredPart,
  inspector: Pick<Inspector, 'obstacle'>,
): Promise<NoEffect | undefined> {
  const obstacle = await inspector.obstacle({ kind: 'checkout', cwd, ref });
  if (obstacle === null) return undefined;
  const isSwitch = verb === 'switch';
  const words =
    obstacle.kind === 'no-ref'
      ? {
          code: 'no-ref',
          why: `there is no branch, tag${isSwitch ? '' : ', file'} or remote branch ${JSON.stringify(ref)}${guessed(ref, obstacle.refs)}`,
          suggestion: `${obstacle.refs.length === 0 ? 'Make' : `Choose one of: ${few(obstacle.refs)}; or make`} it: git switch -c ${ref}`,
        }
      : NO_REPOSITORY;
  return {
    failure: failureOf(part, { verb: isSwitch ? 'switch' : 'check out', ...words }),
    // Any command that uses git may create branches.
    mayChange: (verdict) => verdict === null || verdict.effects.some(({ kind }) => MAKES_REFS.has(kind)),
    mayBePrepared: true,
  };
}

/** Effects of a command that may create a branch or a tag. */
const MAKES_REFS: ReadonlySet<string> = new Set(['resource', 'process', 'repository-code', 'write-unknown']);

const NO_REPOSITORY = {
  code: 'no-repository',
  why: 'this folder is not in a git repository',
  suggestion: 'Give the folder of a repository as cwd, or ask your user',
} as const;

/** Answered by git without a repository. */
const HELP: ReadonlySet<string> = new Set(['-h', '--help', '--help-all']);

/** Remotes, or branches and tags. */
const MAX_NAMES = 10;

const FROM = { push: 'Push to one of', fetch: 'Fetch from one of', pull: 'Pull from one of' } as const;

function wordsOf(
  obstacle: GitObstacle,
  verb: keyof typeof FROM,
): { readonly code: string; readonly why: string; readonly suggestion: string } {
  switch (obstacle.kind) {
    case 'no-repository':
    case 'nothing-staged':
    case 'no-path':
      return NO_REPOSITORY;
    case 'no-ref': {
      const { ref, refs } = obstacle;
      const why = `there is no branch or tag ${JSON.stringify(ref)}${guessed(ref, refs)}`;
      return {
        code: 'no-ref',
        why,
        suggestion: refs.length === 0 ? 'Commit first' : `Push one of: ${few(refs)}`,
      };
    }
    case 'no-remote': {
      const { remote, remotes } = obstacle;
      const why =
        remote === null
          ? 'no remote is configured'
          : `there is no remote ${JSON.stringify(remote)}${guessed(remote, remotes)}`;
      const add = 'Ask your user to add it in their terminal: git remote add origin ADDRESS';
      return {
        code: 'no-remote',
        why,
        suggestion: remotes.length === 0 ? add : `${FROM[verb]}: ${few(remotes)}`,
      };
    }
  }
}

function guessed(word: string, names: readonly string[]): string {
  const meant = nearestWord(word, names);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}

function few(names: readonly string[]): string {
  return names.slice(0, MAX_NAMES).join(', ');
}
