import * as z from 'zod';
import {
  type Collector,
  createCollector,
  type Imported,
  prefixMatcher,
  type RulingWord,
  whyNot,
  wordsOf,
} from './imported.ts';

const Names = z.union([z.string().transform((name) => [name]), z.array(z.string())]);
const Rule = z.looseObject({
  toolName: Names.optional(),
  commandPrefix: Names.optional(),
  commandRegex: z.string().optional(),
  argsPattern: z.string().optional(),
  mcpName: z.string().optional(),
  decision: z.enum(['allow', 'deny', 'ask_user']),
  priority: z.number().optional(),
  modes: z.array(z.string()).optional(),
  denyMessage: z.string().optional(),
});
const Policy = z.looseObject({ rule: z.array(z.unknown()).default([]) });

const RULINGS: Readonly<Record<z.infer<typeof Rule>['decision'], RulingWord>> = {
  allow: 'allow',
  deny: 'deny',
  ask_user: 'ask',
};

/** Tool names of Gemini CLI that differ from ours. */
const TOOLS: Readonly<Partial<Record<string, string>>> = {
  replace: 'edit_file',
  web_fetch: 'fetch_url',
  run_shell_command: 'bash',
  read_file: 'read_file',
  write_file: 'write_file',
  list_directory: 'list_directory',
};

/**
 * Converts the rules of a Gemini CLI policy file to rules (geminicli.com/docs/reference/policy-engine).
 *
 * @param value the parsed TOML
 */
export function importGemini(value: unknown): Imported {
  const collector = createCollector();
  const parsed = Policy.safeParse(value);
  const rules = parsed.data?.rule ?? [];
  if (rules.length === 0) collector.skip('the file', 'has no rules');
  for (const written of rules) {
    const name = JSON.stringify(written).slice(0, 100);
    const rule = Rule.safeParse(written);
    if (rule.success) takeOver(name, rule.data, collector);
    else collector.skip(name, whyNot(rule.error));
  }
  const priorities = new Set(rules.map((rule) => Rule.safeParse(rule).data?.priority));
  if (priorities.size > 1)
    collector.skip('priority', 'has no equivalent here: the strictest matching rule wins');
  return collector.imported();
}

function takeOver(name: string, rule: z.infer<typeof Rule>, collector: Collector): void {
  const ruling = RULINGS[rule.decision];
  const more = rule.denyMessage === undefined ? {} : { because: rule.denyMessage };
  if (rule.mcpName !== undefined) return collector.skip(name, 'is about tools of another server');
  if (rule.argsPattern !== undefined)
    return collector.skip(name, 'matches the text of arguments; use path or args');
  if (rule.modes !== undefined)
    return collector.skip(name, `its modes (${rule.modes.join(', ')}) have no equivalent here`);
  for (const prefix of rule.commandPrefix ?? []) {
    const words = wordsOf(prefix.trim());
    if (words === undefined) collector.skip(name, `"${prefix}" is not a single program with its arguments`);
    else collector.add(name, ruling, { matcher: prefixMatcher(ruling, words), more });
  }
  if (rule.commandRegex !== undefined)
    collector.add(name, ruling, { matcher: { pattern: `^(?:${rule.commandRegex})` }, more });
  if (rule.commandPrefix !== undefined || rule.commandRegex !== undefined) return;
  if (rule.toolName === undefined) collector.skip(name, 'matches every tool; no rule can do that here');
  for (const tool of rule.toolName ?? []) {
    const known = tool.endsWith('*') ? undefined : TOOLS[tool];
    if (known === undefined) collector.skip(name, `no tool here is called "${tool}"`);
    else if (ruling === 'allow')
      collector.skip(name, `allows ${known} as a whole; use auto_approve_tools for that`);
    else collector.add(name, ruling, { matcher: { tool: known }, more });
  }
}
