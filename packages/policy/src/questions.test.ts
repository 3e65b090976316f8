import { readFileSync } from 'node:fs';
import type { Verdict } from '@signalbox/core';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createPolicy } from './governance/create-policy.ts';
import { BASH, PATH_CONTEXT, questionOf, settingsOf } from './governance/testing/question-builders.ts';
import { projectHosts } from './network/project-hosts.ts';
import { ruleOnFetches } from './network/rule-on-fetches.ts';
import { withProjectHosts } from './network/with-project-hosts.ts';
import { classifyLine } from './shell/classify-line.ts';

/** A project of every ecosystem, with a remote. */
const PROJECT = projectHosts(
  [
    'package.json',
    'requirements.txt',
    'go.mod',
    'Cargo.toml',
    'mix.exs',
    'pom.xml',
    'Gemfile',
    'composer.json',
    'shop.sln',
  ]
    .map((path) => ({ path, text: '' }))
    .concat({
      path: '.git/config',
      text: '[remote "origin"]\n\turl = https://github.com/acme/shop.git\n',
    }),
);

/** The answers that `init` proposes: the project's registries and its remotes. */
const AGREED = {
  packages: PROJECT.all.filter(({ source }) => source !== 'git').map(({ pattern }) => pattern),
  remotes: PROJECT.of('git').map(({ pattern }) => pattern),
};

const policy = createPolicy(settingsOf({ sandbox: { network: { agreed: AGREED } } }), PATH_CONTEXT);
const untouched = createPolicy(settingsOf({}), PATH_CONTEXT);

function verdictOn(line: string): Verdict {
  const verdict = classifyLine(line, { cwd: PATH_CONTEXT.workspace, ...PATH_CONTEXT, ownFolders: ['/tmp'] });
  return withProjectHosts(verdict, (source) => PROJECT.of(source).map(({ host }) => host));
}

function settled(line: string, by = policy): ReturnType<typeof ruleOnFetches> {
  return ruleOnFetches(questionOf({ tool: BASH, verdict: verdictOn(line), line, reversible: true }), by);
}

function rulingOn(line: string, by = policy): string {
  return settled(line, by).ruling.kind;
}

/** The hosts that a line may reach. */
function reached(line: string, by = policy): readonly string[] {
  const { effects } = settled(line, by).question.verdict;
  return effects.flatMap((effect) => (effect.kind === 'network' ? [effect.host ?? '*'] : []));
}

const Row = z.object({
  id: z.string(),
  command: z.string(),
  asks: z.boolean(),
  category: z.string(),
  /** Whether it gets the network of the agreed hosts; absent: not checked. */
  fetches: z.boolean().optional(),
});
const rows = readFileSync(new URL('../corpus/questions.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => Row.parse(JSON.parse(line)));

describe('lines labelled before any of them was judged', () => {
  const everyday = rows.filter(({ asks }) => !asks);
  const lookalike = rows.filter(({ asks }) => asks);

  test('include at least 260 everyday ones, and 200 that look like them', () => {
    expect(everyday.length).toBeGreaterThanOrEqual(260);
    expect(lookalike.length).toBeGreaterThanOrEqual(200);
  });

  test('run without approval in at least 95 % of the safe or reversible cases', () => {
    const asked = everyday
      .filter(({ command }) => rulingOn(command) !== 'allow')
      .map(({ command }) => command);
    expect({ asked, share: 1 - asked.length / everyday.length }).toEqual({
      asked,
      share: expect.toSatisfy((share: number) => share >= 0.95),
    });
  });

  test('reach no host without approval before any host is agreed to', () => {
    const ran = rows.filter(({ command }) => {
      return reached(command, untouched).length > 0 && rulingOn(command, untouched) === 'allow';
    });
    expect(ran.map(({ command }) => command)).toEqual([]);
  });

  test('fetch missing packages from agreed hosts in builds and tests, and run offline without any', () => {
    const said = rows.filter(({ fetches }) => fetches !== undefined);
    expect(said.length).toBeGreaterThanOrEqual(60);
    const reach = said.map(({ command, fetches }) => ({ command, fetches, hosts: reached(command) }));
    expect(reach.filter(({ fetches, hosts }) => fetches !== hosts.length > 0)).toEqual([]);
    const own = reach.flatMap(({ hosts }) => hosts.filter((host) => !AGREED.packages.includes(host)));
    expect(own).toEqual([]);
    expect(said.filter(({ command }) => reached(command, untouched).length > 0)).toEqual([]);
    const answers = said.map(({ command }) => [command, rulingOn(command, untouched)]);
    expect(answers).toEqual(said.map(({ command }) => [command, rulingOn(command)]));
  });

  test('never publish, push, upload, destroy or reach a new host without approval', () => {
    const ran = lookalike
      .filter(({ command }) => rulingOn(command) === 'allow')
      .map(({ command }) => command);
    expect(ran).toEqual([]);
  });
});
