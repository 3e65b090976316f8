import { BUILT_IN_RULES, type RuleId } from './built-in-rules.ts';
import { WHAT_CHANGES } from './what-changes.ts';

const BEGIN = '<!-- built-in rules: written by node apps/cli/src/docs.ts -->';
const END = '<!-- end of built-in rules -->';

/** The page with the current table of the built-in rules in place of the one between its marks. */
export function withRulesTable(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin < 0 || end < begin) return page;
  return `${page.slice(0, begin + BEGIN.length)}\n\n${rulesTable()}\n\n${page.slice(end)}`;
}

function rulesTable(): string {
  const rows = Object.entries(BUILT_IN_RULES).map(([rule, { ruling, says }]) => [
    `\`${rule}\``,
    ruling,
    says,
    WHAT_CHANGES[rule as RuleId],
  ]);
  const all = [['rule', 'ruling', 'when', 'what would change it'], ...rows].map((row) =>
    row.map((cell) => cell.replaceAll('|', String.raw`\|`)),
  );
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => String(row[column]).length)));
  const lines = all.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(Number(widths[column]))).join(' | ')} |`,
  );
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}
