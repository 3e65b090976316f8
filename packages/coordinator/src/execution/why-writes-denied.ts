import type { Effect, FileTouch, Verdict } from '@signalbox/core';
import type { Policy, Question } from '@signalbox/policy';

/** Installed packages bring names that look like secrets of the workspace and are none. */
const PACKAGES = new Set(['node_modules', '.venv']);

/** Source of what is no rule of people. */
const BUILT_IN = 'built in';

/**
 * Why policy forbids what a transaction really wrote, by the same gates that judge what a call says it will
 * write: paths, then people's rules. Git's own files are left to the sandbox, which knows what of them is code.
 *
 * @param options.isGranted A person has let this call run: what only asks is answered.
 */
export function whyWritesDenied(
  changes: readonly FileTouch[],
  options: {
    readonly policy: Pick<Policy, 'checkPaths' | 'rule'>;
    readonly question: Question;
    readonly isGranted: boolean;
  },
): readonly string[] {
  const { policy, question, isGranted } = options;
  return changes.flatMap(({ path, kind }) => {
    const segments = path.split('/');
    if (kind === 'read' || segments.includes('.git')) return [];
    const effect: Effect = { kind: kind === 'deleted' ? 'delete' : 'write', path, scope: 'file' };
    const verdict: Verdict = { ...question.verdict, level: 'safe', reasons: [], effects: [effect] };
    const asked: Question = { ...question, verdict: { ...verdict, composed: false } };
    const isPackage = segments.some((segment) => PACKAGES.has(segment));
    const own = policy.rule(asked);
    const gates = [policy.checkPaths(asked), ...(own.source === BUILT_IN ? [] : [own])];
    return gates.flatMap((ruling) => {
      if (ruling === undefined || ruling.kind === 'allow' || (ruling.kind === 'ask' && isGranted)) return [];
      if (isPackage && ruling.rule === 'protected-path') return [];
      if (ruling.kind === 'deny') return [`${path}: ${ruling.failure.message}`];
      return [`${path}: ${ruling.reason}; nobody was asked, since the call did not say that it writes there`];
    });
  });
}
