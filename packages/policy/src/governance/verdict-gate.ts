import type { Settings } from '@signalbox/core';
import { commandsOf } from '../rules/line-commands.ts';
import type { Question } from './question.ts';
import { type Deny, deny } from './rulings.ts';
import { toolPolicyOf } from './tool-settings.ts';

/** Denials by the verdict alone, independent of approval (C3, X-01, X-03, X-05, X-27). */
export function checkVerdict(question: Question, settings: Settings): Deny | undefined {
  const { tool, verdict, mode, context } = question;
  const [reason] = verdict.reasons;
  if (verdict.level === 'blocked') {
    return deny('blocked-never', {
      outcome: 'blocked',
      code: 'blocked',
      message: `Blocked: ${reason?.text ?? 'this call is never allowed'}`,
      suggestion: 'Do not retry or rephrase it; no approval can allow it. Use another approach',
      why: verdict.reasons
        .filter(({ level }) => level === 'blocked')
        .map(({ code, text }) => `${code}: ${text}`),
    });
  }
  if (context.phase === 'autonomous' && !isWithoutEffect(question)) {
    return deny('autonomous-internal', {
      message: `Cannot call ${tool.name} in the autonomous phase: only internal tools without effects are allowed`,
      suggestion: 'Call it in another phase',
    });
  }
  const isStrict = settings.shell_composition === 'reject' || mode === 'DEGRADED' || mode === 'LOCKDOWN';
  if (verdict.composed && isStrict) {
    const byMode = settings.shell_composition !== 'reject';
    return deny('composition-rejected', {
      code: byMode ? 'denied-by-mode' : 'shell_injection_detected',
      message: !byMode
        ? 'Cannot run a shell line with a chain, pipe or substitution: shell_composition is "reject"'
        : `Cannot run a shell line with a chain, pipe or substitution in ${mode} mode`,
      suggestion: 'Run each program in a separate call',
    });
  }
  return unlistedProgram(question, settings);
}

/** The autonomous phase has no person to answer. */
function isWithoutEffect({ tool, verdict }: Question): boolean {
  return tool.category === 'internal' && verdict.level === 'safe' && !verdict.runsRepositoryCode;
}

/** Builtins that print, test or change directory, and start nothing. */
const HARMLESS_BUILTINS: ReadonlySet<string> = new Set(
  ': [ break cd continue echo exit false printf pwd return shift test true'.split(' '),
);

function unlistedProgram({ tool, verdict, line }: Question, settings: Settings): Deny | undefined {
  const { command_allowlist: listed, command_allowlist_only: only } = toolPolicyOf(tool, settings);
  if (listed === undefined && !only) return undefined;
  const names = listed ?? [];
  const started = only && line != null ? programsOf(line) : unknownPrograms(verdict);
  const program = started.find((name) => name === null || !names.includes(name));
  if (program === undefined) return undefined;
  const what = program === null ? 'a program known only at run time' : `"${program}"`;
  const why = only ? 'command_allowlist_only is on' : 'it is unknown';
  return deny('program-not-listed', {
    message: `Cannot start ${what}: ${why}, and tools.${tool.name}.command_allowlist does not list it`,
    suggestion:
      names.length === 0 ? 'Use the tools you are offered' : `Allowed programs: ${names.join(', ')}`,
  });
}

/** Programs of which the policy knows only the name. */
export function unknownPrograms({ effects }: Question['verdict']): readonly string[] {
  return effects.flatMap((effect) => (effect.kind === 'process' ? [effect.program] : []));
}

/** Every program that the line may start, as written; null among them when one is known only at run time. */
function programsOf(line: string): readonly (string | null)[] {
  const read = commandsOf(line);
  if (read === null) return [null];
  return [...read.commands, ...read.inner]
    .map(({ program }) => program)
    .filter((program) => program === null || !HARMLESS_BUILTINS.has(program));
}
