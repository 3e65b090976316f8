import { Level, Verdict } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import { classifyLine } from '../classify-line.ts';
import { type Examples, named, type ProgramRules } from '../program.ts';
import { FAMILIES, programNamed } from './table.ts';

/** Every example of every rule, with the name of its program. */
function examplesOf(program: ProgramRules): readonly (readonly [string, Level])[] {
  const rules = [program, ...Object.values(program.verbs ?? {})];
  return rules.flatMap(({ examples = {} }: { examples?: Examples }) =>
    Level.options.flatMap((level) => (examples[level] ?? []).map((line) => [line, level] as const)),
  );
}

const programs = Object.values(FAMILIES).flat();

/** Rules that check their words themselves, or of programs that can't write with any words. */
const TAKES_ANYTHING = new Set([
  ...named(
    'zipinfo popd unset read mapfile readarray getopts let svelte-check exit return break continue shift caller fg bg wait pwd true false : whoami id groups logname uname nproc uptime tty who w users last hostid getconf locale cal ncal free vmstat iostat lscpu lsusb lspci sw_vers clear reset tput sleep times dirs lsmod lsb_release getent ps pgrep top htop pstree lsof netstat ss pidof echo printf test [ which type whereis expr locate mlocate plocate shopt compgen systemctl service launchctl rc-service sv supervisorctl loginctl initctl ip ifconfig nmcli atq dmesg journalctl mlr miller',
  ),
  ...named(
    'rev-parse rev-list describe name-rev merge-base cherry ls-files ls-tree cat-file show-ref for-each-ref count-objects show-branch check-ignore check-attr check-ref-format check-mailmap var blame annotate fsck verify-commit verify-tag verify-pack get-tar-commit-id version help patch-id stripspace column merge-tree archive',
  ).map((verb) => `git ${verb}`),
]);

describe('the rules of programs', () => {
  for (const program of programs) {
    const [name = '?'] = program.names;
    test.each(examplesOf(program))(`${name}: %j is %s`, (line, level) => {
      const verdict = classifyLine(line, { cwd: '/repo' });
      expect(verdict).toMatchObject({ level });
      // An error inside is rated dangerous: an example must not pass by that.
      expect(verdict.reasons.map((reason) => reason.text)).not.toContain("can't be analysed");
      expect(Verdict.safeParse(verdict).error).toBeUndefined();
    });
  }

  test('an unknown option is never safe, except for words that are only printed or looked up', () => {
    const lines = programs.flatMap(({ names, verbs = {} }) =>
      names.flatMap((name) =>
        ['', ...Object.keys(verbs).flatMap((all) => all.split(' '))].flatMap((verb) =>
          ['--zz-unknown', '--zz-unknown=x'].map((option) => [name, verb, option].filter(Boolean).join(' ')),
        ),
      ),
    );
    const safe = lines.filter((line) => classifyLine(line, { cwd: '/repo' }).level === 'safe');
    expect(new Set(safe.map((line) => line.replace(/ --zz.*$/, '')))).toEqual(TAKES_ANYTHING);
  });

  test('every option follows the notation', () => {
    const roles = new Set<string>(
      named('text list read names write write-tree edit delete delete-tree program shell host'),
    );
    const rules = programs.flatMap((program) => [program, ...Object.values(program.verbs ?? {})]);
    const wrong = rules.flatMap(({ options = '', style }) =>
      options.split(/\s+/).filter((token) => {
        const role = /^(?:--?[^:=?]+|-\?)[:=?](.+)$/.exec(token)?.[1];
        // With one dash and no `=` a word is a bundle of letters.
        const isBundle = style === 'long' && /^-[A-Za-z][\w.]+\??$/.test(token);
        return isBundle || (role !== undefined && !roles.has(role));
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('every program has examples', () => {
    const bare = programs.filter((program) => examplesOf(program).length === 0);
    expect(bare.map((program) => program.names)).toEqual([]);
  });

  test('no name is given to two programs', () => {
    const names = programs.flatMap((program) => program.names);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  test('a name with a version is found by its stem', () => {
    expect(programNamed('python3.12')).toBe(programNamed('python'));
    expect(programNamed('gcc-13')).toBe(programNamed('gcc'));
    expect(programNamed('frobnicate3')).toBeUndefined();
    expect(programNamed('cat5')).toBeUndefined();
  });
});
