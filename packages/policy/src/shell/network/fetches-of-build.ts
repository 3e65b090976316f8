import type { Effect, NetworkSource } from '@signalbox/core';
import { readOptions, tableOf } from '../options.ts';
import { textOf, type Word } from '../word.ts';

/** Builds and test runs that first fetch missing packages, and need no network when none is missing. */
type Build = Readonly<{
  programs: readonly string[];
  source: NetworkSource;
  /** The first operand; absent: any. */
  verbs?: RegExp;
  /** Options with a value before it, in the notation of `options.ts`. */
  before?: string;
  /** Words that keep it offline, or make it only print information. */
  keepsOff: RegExp;
}>;

const BUILDS: readonly Build[] = [
  {
    programs: ['cargo'],
    source: 'cargo',
    verbs:
      /^(?:test|t|check|c|build|b|clippy|bench|doc|d|rustdoc|nextest|run|r|fix|expand|miri|tree|metadata)$/,
    before: '-C: -Z: --config= --color=',
    // `--locked` keeps to the lock file, and fetches what that names.
    keepsOff: /^--(?:offline|frozen|help|version)$/,
  },
  {
    programs: ['go'],
    source: 'go',
    verbs: /^(?:build|test|run|vet|generate|list)$/,
    before: '-C:',
    keepsOff: /^--?mod=vendor$/,
  },
  {
    programs: ['mvn', 'mvnw'],
    source: 'maven',
    keepsOff: /^(?:-[a-z]*o|--offline|-v|--version|-h|--help)$/,
  },
  {
    programs: ['gradle', 'gradlew'],
    source: 'maven',
    keepsOff: /^(?:--offline|-v|--version|-h|--help|--stop|--status)$/,
  },
  { programs: ['sbt'], source: 'maven', keepsOff: /^(?:-{1,2}(?:version|help|offline)|offline)$/ },
  {
    programs: ['dotnet'],
    source: 'nuget',
    verbs: /^(?:build|test|run|pack|msbuild|watch|format)$/,
    before: '',
    keepsOff: /^--?(?:no-restore|no-build|help|version)$/,
  },
  {
    programs: ['uv'],
    source: 'python',
    verbs: /^run$/,
    before: '--directory= --project= --color=',
    keepsOff: /^--(?:offline|no-sync|help)$/,
  },
  {
    programs: ['tox', 'nox'],
    source: 'python',
    keepsOff: /^(?:-l|--list(?:envs|-sessions)?|--no-install|--version|-h|--help)$/,
  },
];

export function buildsOnline(program: string): boolean {
  return BUILDS.some(({ programs }) => programs.includes(program));
}

/** What a build may fetch, from hosts that a person agreed to: it raises no level and needs no approval. */
export function fetchesOfBuild(program: string, words: readonly Word[]): readonly Effect[] {
  const build = BUILDS.find(({ programs }) => programs.includes(program));
  if (build === undefined) return [];
  const { verbs, before = '', keepsOff, source } = build;
  // `cargo +nightly test`: a toolchain comes before everything else.
  const given = words.map((word) => textOf(word) ?? '');
  const end = given.indexOf('--');
  if (given.slice(0, end < 0 ? given.length : end).some((text) => keepsOff.test(text))) return [];
  if (verbs === undefined) return [{ kind: 'network', source, optional: true }];
  const rest = given[0]?.startsWith('+') === true ? words.slice(1) : words;
  const [verb] = readOptions(rest, 'posix', tableOf(before)).operands;
  return verbs.test(textOf(verb) ?? '') ? [{ kind: 'network', source, optional: true }] : [];
}
