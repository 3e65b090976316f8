import type { UserRule } from '@signalbox/core';

/** What a rule matches, on one line. */
export function ruleText({ match }: Pick<UserRule, 'match'>): string {
  switch (match.kind) {
    case 'program':
      return [match.program, ...(match.args ?? ['…'])].join(' ');
    case 'line':
      return `line: ${match.line}`;
    case 'pattern':
      return `pattern: ${match.pattern}`;
    case 'files':
      return [match.tool, match.path].filter((part) => part !== null).join(' ');
    case 'effect':
      return [match.effect, match.host, match.path].filter((part) => part !== null).join(' ');
  }
}
