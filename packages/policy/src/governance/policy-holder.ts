import type { Policy } from './create-policy.ts';

/** A policy that another can take the place of, in one step: no call is ever judged by parts of both (C10). */
export type PolicyHolder = Policy & {
  /** False when it decides as the one of now does. */
  swap(next: Policy): boolean;
};

/** Versions that are remembered; a call judged by an older one is refused when its turn comes. */
const MOST_EARLIER = 50;

export function createPolicyHolder(first: Policy): PolicyHolder {
  let current = first;
  let earlier: readonly string[] = [];
  return {
    get version() {
      return current.version;
    },
    get earlier() {
      return earlier;
    },
    get rules() {
      return current.rules;
    },
    rule: (question) => current.rule(question),
    limits: (question) => current.limits(question),
    timeoutOf: (tool) => current.timeoutOf(tool),
    isDenied: (path, access) => current.isDenied(path, access),
    checkMode: (question) => current.checkMode(question),
    checkVerdict: (question) => current.checkVerdict(question),
    checkPaths: (question) => current.checkPaths(question),
    checkSizes: (question) => current.checkSizes(question),
    checkApproval: (question) => current.checkApproval(question),
    swap(next) {
      if (next.version === current.version) return false;
      earlier = [current.version, ...earlier].slice(0, MOST_EARLIER);
      current = next;
      return true;
    },
  };
}
