import type { RegexNode } from './regex-syntax.ts';

/** The longest run of fixed characters that stands in every text in which the pattern is found; may be empty. */
export function needleOf(pattern: RegexNode): string {
  let longest = '';
  let run = '';

  function visit(node: RegexNode): void {
    switch (node.kind) {
      case 'unit':
        if (node.text === undefined) endRun();
        else run += node.text;
        return;
      case 'place':
        return;
      case 'all':
        for (const inner of node.nodes) visit(inner);
        return;
      case 'either':
        return endRun();
      case 'repeat':
        endRun();
        if (node.least > 0) visit(node.node);
        return endRun();
    }
  }

  function endRun(): void {
    if (run.length > longest.length) longest = run;
    run = '';
  }

  visit(pattern);
  endRun();
  return longest;
}
