import type { Effect } from '@signalbox/core';

const MAY_WRITE: Effect = { kind: 'write-unknown' };

/**
 * The minimum effect of a reason, by its code: a line that evaluates or may run unknown text may write anything, and a
 * rule that raises such a reason can't omit that.
 */
export const LEAST_EFFECTS: ReadonlyMap<string, Effect> = new Map(
  [
    'arithmetic-executes',
    'arithmetic-value',
    'callback',
    'changes-names',
    'code-variable',
    'dynamic-name',
    'dynamic-program',
    'dynamic-script',
    'foreign-code',
    'git-setting',
    'glued-close',
    'indirect-variable',
    'loads-code',
    'loads-module',
    'make-setting',
    'may-be-option',
    'other-shell',
    'piped-into-shell',
    'prompt-expansion',
    'runs-input',
    'runs-package',
    'runs-script',
    'runs-what-it-wrote',
    'starts-program',
    'too-long',
    'too-nested',
    'unknown-command',
    'unknown-option',
    'unknown-script',
    'unknown-target',
    'unparseable',
    'writes-unknown-path',
  ].map((code) => [code, MAY_WRITE]),
);
