import type { Effect, FileTouch } from '@signalbox/core';
import type { Policy, Question } from '@signalbox/policy';

/** Installed packages bring names that look like secrets of the workspace and are none. */
const PACKAGES = new Set(['node_modules', '.venv']);

/**
 * Why policy forbids what a transaction really wrote, by the same gates that judge what a call says it will
 * write: paths, then people's rules. Git's own files are left to the sandbox, which knows what of them is code.
 *
 * @param options.isGranted A person has let this call run: what only asks is answered.
 */
export function whyWritesDenied(
  changes: readonly FileTouch[],
  options: {
    readonly policy: Pick<Policy, 'checkPaths' | 'rules'>;
    readonly question: Question;
    readonly isGranted: boolean;
  },
): readonly string[] {
  const { policy, question, isGranted } = options;
  return changes.flatMap(({ path, kind }) => {
    const segments = path.split('/');
    if (kind === 'read' || segments.includes('.git')) return [];
    const effect: Effect = { kind: kind === 'deleted' ? 'delete' : 'write', path, scope: 'file' };
    const asked: Question = { ...question, verdict: { ...question.verdict, effects: [effect] } };
    const isPackage = segments.some((segment) => PACKAGES.has(segment));
    const gates = [policy.checkPaths(asked), policy.rules.holdsBack(asked)];
    return gates.flatMap((ruling) => {
      if (ruling === undefined || (ruling.kind === 'ask' && isGranted)) return [];
      if (isPackage && ruling.rule === 'protected-path') return [];
      if (ruling.kind === 'deny') return [`${path}: ${ruling.failure.message}`];
      return [`${path}: ${ruling.reason}; nobody was asked, since the call did not say that it writes there`];
    });
  });
}
