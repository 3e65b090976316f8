import { stringify } from 'yaml';

/** Rules as in a file: `rules:` and one entry each, its matcher on one line. */
export function ruleYaml(rules: readonly object[]): string {
  return rules.length === 0 ? 'rules: []\n' : `rules:\n${rules.map(entry).join('')}`;
}

/** One entry of the list, indented as below `rules:`. */
function entry(rule: object): string {
  const rows = Object.entries(rule).flatMap(([key, value]) => {
    const isBlock = key === 'examples';
    const text = isBlock
      ? stringify({ [key]: value }, { lineWidth: 0 }).trimEnd()
      : `${key}: ${stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trimEnd()}`;
    return text.split('\n');
  });
  return rows.map((row, at) => `${at === 0 ? '  - ' : '    '}${row}\n`).join('');
}
