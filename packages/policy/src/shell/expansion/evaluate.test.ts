import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAtLeast } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { classifyLine } from '../classify-line.ts';
import {
  EVALUATING_LINES,
  type LineEvaluation,
  OPTION_LINES,
  OPTION_PAYLOADS,
} from '../testing/evaluating-lines.ts';

/** Everything is read-only and owned by others, except an empty folder in memory that ends with the process. */
const THROW_AWAY =
  'bwrap --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev ' +
  '--tmpfs /tmp --chdir /tmp --clearenv --setenv PATH /usr/bin:/bin --unshare-all --die-with-parent --new-session';

/**
 * Runs each line in its own bash and folder, with one file named like the payload and another that contains it; the
 * program that it may run is beside that folder.
 */
const RUN_EACH = `printf '#!/bin/sh\\ntouch pwned\\n' > evil.sh && chmod +x evil.sh
printf 'require("fs").writeFileSync("pwned", "")\\n' > evil.js
while IFS= read -r -d '' payload && IFS= read -r -d '' line; do
  folder=run$((number += 1)) && mkdir $folder && cd $folder && printf '%s\\n' "$payload" > data.txt
  printf 'a\\n' > a.txt
  case $payload in */*) ;; *) printf 'a\\n' > "./$payload" ;; esac
  if [ "$payload" = pwned ]; then rm pwned; fi
  timeout 1 bash --noprofile --norc -c "$line" < /dev/null > /dev/null 2>&1
  if [ -e pwned ]; then echo ran; else echo -; fi
  cd ..
done`;

/** The lines whose payload real bash runs, in a throw-away sandbox. */
function runByBash(lines: readonly LineEvaluation[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'evaluate-'));
  // Without bubblewrap (macOS) in their own folder: these lines only touch a file.
  const [program = '', ...args] = (
    process.platform === 'linux' ? THROW_AWAY : 'env -i PATH=/usr/bin:/bin'
  ).split(' ');
  const { stdout, stderr } = spawnSync(program, [...args, 'bash', '--noprofile', '--norc', '-c', RUN_EACH], {
    cwd: folder,
    input: lines.map(({ line, payload }) => `${payload}\0${line}\0`).join(''),
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  const answers = stdout.trimEnd().split('\n');
  expect({ answers: answers.length, stderr }).toEqual({ answers: lines.length, stderr: '' });
  return lines.filter((_line, at) => answers[at] === 'ran').map(({ line }) => line);
}

/** It is rated safe, or reports no write of the payload. */
function isTakenForHarmless({ line }: LineEvaluation): boolean {
  const { level, effects } = classifyLine(line, { cwd: '/repo' });
  const claims = effects.some(
    (effect) => effect.kind === 'write-unknown' || (effect.kind === 'write' && effect.path.endsWith('pwned')),
  );
  return level === 'safe' || !claims;
}

/** It is rated safe, or reports no write at all. */
function claimsNothing(line: string): boolean {
  const { level, effects } = classifyLine(line, { cwd: '/repo' });
  return level === 'safe' || !effects.some(({ kind }) => kind === 'write-unknown' || kind === 'write');
}

describe('where data may become words of a command', { timeout: 120_000 }, () => {
  test('a line in which an option or a further operand writes is never safe', () => {
    expect(OPTION_LINES.length).toBeGreaterThan(4000);
    const harmless = OPTION_LINES.filter((line) => claimsNothing(line));
    // A part of them, each with one payload: all lines with all payloads take most of an hour.
    const lines = harmless
      .map((line, at) => ({ line, payload: OPTION_PAYLOADS[at % OPTION_PAYLOADS.length] ?? '' }))
      .filter((_line, at) => at % 6 === 0);
    expect(runByBash(lines)).toEqual([]);
  });
});

describe('where bash evaluates text', { timeout: 120_000 }, () => {
  test('a line that runs a command by it is never safe, and reports its writes (X-30)', () => {
    expect(EVALUATING_LINES.length).toBeGreaterThan(2000);
    expect(runByBash(EVALUATING_LINES.filter(isTakenForHarmless))).toEqual([]);
  });

  test('bash itself confirms which lines run', () => {
    const payload = 'a[$(touch pwned)]';
    const running = [
      'read -r k < data.txt; ((k++))',
      `k='${payload}'; n=k; echo $((n))`,
      `RANDOM='${payload}'`,
    ];
    const quiet = ['read -r k < data.txt; echo "$k"', `k='${payload}'; [ "$k" -eq 1 ]`];
    expect(runByBash([...running, ...quiet].map((line) => ({ line, payload })))).toEqual(running);
  });

  test.each([
    'for ((i=0;i<3;i++)); do echo $i; done',
    'i=0; while ((i++ < 3)); do echo $i; done',
    'i=0; while [ $i -lt 3 ]; do i=$((i+1)); done',
    'for f in src/*.ts; do ((n++)); done; echo $n',
    'count=0; while read -r line; do ((count++)); done < a.txt; echo $count',
    'start=$(date +%s); ls; echo $(($(date +%s) - start))',
    'n=$(wc -l < a.txt); if ((n > 500)); then echo "$n"; fi',
    '[[ $(wc -l < a.txt) -gt 100 ]] && echo long',
    'a=(1 2 3); echo ${a[1]}; for i in "${!a[@]}"; do echo "${a[$i]}"; done',
    'x=hello; echo ${x:0:3} ${x: -2} ${#x}',
    'let i=0; let i++; let "i += 2"; echo $i',
    'for i in $(seq 1 5); do echo $((i * 2)); done',
    'for i in {1..20}; do ((n += i)); done',
    'for ((i=0;i<3;i++)); do [[ -v "a[$i]" ]] && echo $i; done',
    'until (( (a) = 1 )); do command -v node; done',
    'CI=1 read -r line < a.txt; echo $((CI))',
    'declare -i n=0; n+=1; ((n++)); echo $((RANDOM % 6 + SECONDS))',
    'OPTIND=1; while getopts "ab:" o; do case $o in a) echo a;; esac; done',
    'declare -A m; m[a]=1; for k in "${!m[@]}"; do echo "$k=${m[$k]}"; done',
    'declare -A seen; while read -r k; do seen[$k]=1; done < a.txt; echo ${#seen[@]}',
  ])('%j evaluates numbers only, and stays safe', (line) => {
    expect(classifyLine(line, { cwd: '/repo' })).toMatchObject({ level: 'safe' });
  });

  test.each([
    'n=0; ((n++)); echo ${!n}',
    'read -r k < f; ((k = 1)); echo $((k))',
    'read -r a < f; ((a[0] = 1)); echo $((a))',
    'n=1 read -r n < f; echo $((n))',
    'f() { ((i = 0)); ((i++)); ((j)); }; f',
    'unset *',
    'f() { :; }; declare -i n',
    'for i in 1 2; do ((k)); printf -vk "$x"; done',
    "find . -exec bash -c '((n += $1))' _ {} +",
  ])('%j is a warning that may write anything', (line) => {
    const { level, effects } = classifyLine(line, { cwd: '/repo' });
    expect({ level, effects }).toMatchObject({
      level: 'warning',
      effects: expect.arrayContaining([{ kind: 'write-unknown' }]),
    });
  });

  test.each([
    "k='a[$(rm -rf lib)]'; ((k++))",
    "n=k; k='a[`rm -rf lib`]'; let n",
    "x=(['a[$(rm -rf lib)]']=1)",
    "RANDOM='a[$(rm -rf lib)]'",
    "declare -n r='a[$(rm -rf lib)]'; r=1",
    "i='a[$(rm -rf lib)]'; echo ${!i}",
  ])('%j is judged as what it runs', (line) => {
    const { level, effects } = classifyLine(line, { cwd: '/repo' });
    expect(isAtLeast(level, 'dangerous')).toBe(true);
    expect(effects).toContainEqual({ kind: 'delete', path: 'lib', scope: 'tree' });
  });
});
