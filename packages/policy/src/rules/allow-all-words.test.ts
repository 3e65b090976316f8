import { describe, expect, test } from 'vitest';
import { lineQuestion, rule } from './testing/rule-questions.ts';

/** Tools with a login of the user, each with verbs that only read and verbs that change something there. */
const CLIENTS: Readonly<
  Record<string, { readonly looks: readonly string[]; readonly acts: readonly string[] }>
> = {
  gh: {
    looks: ['pr view 3', 'pr list', 'issue view 3', 'run list'],
    acts: [
      'pr merge 3',
      'issue close 3',
      'api -X DELETE repos/a/b',
      'api graphql -f query=x',
      'auth token',
      'secret list',
      'repo delete a/b',
      'release create v1',
      'workflow run x',
    ],
  },
  docker: {
    looks: ['ps', 'ps -a', 'images', 'logs x'],
    acts: [
      'rm x',
      'system prune',
      'run --privileged x',
      'exec x rm -rf /data',
      'push x',
      'compose down -v',
      'ps --privileged',
    ],
  },
  kubectl: {
    looks: ['get pods', 'get svc -n x', 'logs x', 'describe pod x'],
    acts: [
      'delete pod x',
      'get secret x -o yaml',
      'exec x -- ls',
      'apply -f x.yaml',
      'config view --raw',
      'get pods --kubeconfig x',
      'get pods --as admin',
    ],
  },
  terraform: {
    looks: ['plan', 'show', 'state list'],
    acts: ['apply', 'destroy', 'plan -destroy && terraform apply', 'state rm x', 'import a b'],
  },
  psql: {
    looks: ["-c 'select 1'"],
    acts: [
      "-c 'drop table a'",
      "-c 'select 1; delete from a'",
      '-c \'copy a to program "x"\'',
      "-c '\\! id'",
      "-c 'select 1' -f x.sql",
      "-c 'select * into b from a'",
      '-c "select nextval(\'a\')"',
      "-c 'create table b as select 1'",
      '-c "select pg_read_file(\'x\')"',
    ],
  },
};
const names = Object.keys(CLIENTS);
const every = names.map((program) => ({ id: `all-${program}`, allow: { program, args: ['**'] } }));
const linesOf = (kind: 'looks' | 'acts'): string[] =>
  names.flatMap((name) => (CLIENTS[name]?.[kind] ?? []).map((words) => `${name} ${words}`));

describe('a rule that allows every word of a tool with a login', () => {
  test.for(linesOf('looks'))('lets a read run: %s', (line) => {
    expect(rule([], lineQuestion(line))).toMatch(/^ask /);
    expect(rule(every, lineQuestion(line))).toMatch(/^allow all-/);
  });

  test.for(linesOf('acts'))('never lets a changing verb run: %s', (line) => {
    expect(rule(every, lineQuestion(line))).not.toMatch(/^allow /);
  });

  test.for(linesOf('looks'))(
    'allows nothing in a restricted mode or for an untrusted provider: %s',
    (line) => {
      for (const mode of ['ALERT', 'RECOVERY'] as const)
        expect(rule(every, lineQuestion(line, { mode }))).toBe('ask mode-asks');
      expect(rule(every, lineQuestion(line, { mode: 'DEGRADED' }))).toMatch(/^(?:ask mode-asks|deny )/);
      expect(rule(every, lineQuestion(line, { mode: 'LOCKDOWN' }))).toMatch(/^deny /);
      expect(rule(every, lineQuestion(line, { context: { trust: 'untrusted' } }))).toBe('ask untrusted-asks');
    },
  );
});
