import type * as z from 'zod';
import { clampSettings, type Note } from './layers/clamp-settings.ts';
import { type SettingsProblem, toProblems } from './problem.ts';
import { Settings } from './settings.ts';
import { problemsOfNamedProviders } from './providers/named-providers.ts';
import { isRecord } from './keys/settings-path.ts';
import { toolDependencies } from './tools/tool-dependencies.ts';

export type ParsedSettings =
  | { readonly kind: 'ok'; readonly settings: Settings; readonly notes: readonly Note[] }
  | { readonly kind: 'invalid'; readonly problems: readonly SettingsProblem[] };

/** Compiling these schemas takes longer than parsing a few files without. */
const READ_SELDOM = { reportInput: true, jitless: true };

/**
 * Parses the value of a settings file; an empty one (`null`, `undefined`) means all defaults.
 *
 * A file with a problem is refused as a whole. Notes report values that are legal but do not have the stated effect.
 */
export function parseSettings(value: unknown): ParsedSettings {
  const clamped = clampSettings(withoutEmptyKeys(value));
  const parsed = Settings.safeParse(clamped.value, READ_SELDOM);
  if (!parsed.success) return { kind: 'invalid', problems: toProblems(parsed.error.issues) };
  const problems = [...problemsOfNamedProviders(parsed.data), ...problemsOfJudge(parsed.data)];
  if (problems.length > 0) return { kind: 'invalid', problems };
  const settings = { ...parsed.data, rules: rulesOf(parsed.data) };
  return {
    kind: 'ok',
    settings,
    notes: [...clamped.notes, ...notesOnBudget(settings), ...notesOnCycles(settings)],
  };
}

/** Problems of one of several files; fields that another file may add are not reported as missing. */
export function checkLayer(value: unknown): readonly SettingsProblem[] {
  const parsed = Settings.safeParse(clampSettings(withoutEmptyKeys(value)).value, READ_SELDOM);
  if (parsed.success) return [];
  const isMissing = (issue: z.core.$ZodIssue): boolean =>
    issue.code === 'custom' && issue.params?.['isMissing'] === true;
  return toProblems(parsed.error.issues.filter((issue) => !isMissing(issue)));
}

/**
 * YAML reads a key without a value as null; here it means that the key is not set. A provider without fields still
 * counts as named.
 */
export function withoutEmptyKeys(value: unknown): unknown {
  if (value === null || value === undefined) return {};
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, section]) => section !== null && section !== undefined);
  return Object.fromEntries(
    kept.map(([key, section]) => {
      if (!isRecord(section)) return [key, section];
      const entries = Object.entries(section);
      if (key === 'providers') return [key, Object.fromEntries(entries.map(([id, at]) => [id, at ?? {}]))];
      return [key, Object.fromEntries(entries.filter(([, part]) => part !== null && part !== undefined))];
    }),
  );
}

function notesOnBudget({ budget, providers }: Settings): readonly Note[] {
  if (budget === null) return [];
  return Object.entries(providers)
    .filter(([, provider]) => provider.configured && provider.prices === null)
    .map(([id]) => ({
      path: ['providers', id],
      message: `the budget does not cover "${id}": it has no prices`,
    }));
}

function notesOnCycles({ tools: { dependencies } }: Settings): readonly Note[] {
  return toolDependencies(dependencies.rules).cycles.map((tools) => ({
    path: ['tools', 'dependencies', 'rules'],
    message: `${tools.join(', ')} require each other: what they require does not count`,
  }));
}

/** Without a judge or a policy it would let every call pass. */
function problemsOfJudge({ tools: { adversarial_policy } }: Settings): readonly SettingsProblem[] {
  const { enabled, policies, policy_provider } = adversarial_policy;
  const path = ['tools', 'adversarial_policy'];
  if (!enabled) return [];
  return [
    ...(policies.length > 0
      ? []
      : [{ path: [...path, 'policies'], message: 'needs at least one policy, or set enabled to false' }]),
    ...(policy_provider !== ''
      ? []
      : [
          {
            path: [...path, 'policy_provider'],
            message: 'must name the provider that judges, or set enabled to false',
          },
        ]),
  ];
}

/** All rules of one file. */
function rulesOf({ rules, tools: { authorization } }: Settings): Settings['rules'] {
  return [...rules, ...(authorization.enabled ? authorization.rules : [])];
}
