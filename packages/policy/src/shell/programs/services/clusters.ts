import { type Invocation, NETWORK } from '../../program.ts';
import { beginningOf, textOf } from '../../word.ts';

/** `helm template x bitnami/redis`: without a leading dot, a chart of a remote repository. */
const REMOTE_CHART = /^[\w-]+\/[\w-]+$/;

/** Effects of a cluster client's options and operands, with any verb. */
export function judgeCluster({ words, context, span }: Invocation): void {
  if (words.some((word) => /^--(?:post-renderer|kubeconfig|as)(?:=|$)/.test(beginningOf(word))))
    context.report.raise('dangerous', 'service-change', 'names a program, or whose rights to use', span);
  const texts = words.map((word) => textOf(word) ?? '');
  if (!texts.includes('template') || !texts.some((text) => REMOTE_CHART.test(text))) return;
  context.report.effect(NETWORK);
  context.report.raise('warning', 'network', 'may fetch a chart', span);
}
