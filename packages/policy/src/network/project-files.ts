import type { NetworkSource } from '@signalbox/core';

/** A file that says where a project gets its packages or commits. */
export type ProjectFile = Readonly<{
  source: NetworkSource;
  /** The end of its path, from any folder on. */
  name: RegExp;
  /** The addresses in it. */
  addresses: (text: string) => readonly string[];
}>;

/** Default hosts of an ecosystem. */
export const USUAL_HOSTS: Readonly<Record<NetworkSource, readonly string[]>> = {
  npm: ['registry.npmjs.org'],
  python: ['pypi.org', 'files.pythonhosted.org'],
  go: ['proxy.golang.org', 'sum.golang.org'],
  cargo: ['index.crates.io', 'static.crates.io', 'crates.io'],
  hex: ['repo.hex.pm', 'builds.hex.pm', 'hex.pm'],
  maven: ['repo.maven.apache.org', 'plugins.gradle.org', 'services.gradle.org'],
  rubygems: ['rubygems.org', 'index.rubygems.org'],
  composer: ['repo.packagist.org', 'packagist.org', 'api.github.com', 'codeload.github.com'],
  nuget: ['api.nuget.org'],
  git: [],
};

/** The first group of each match; for patterns that read each character a bounded number of times. */
const found =
  (...patterns: readonly RegExp[]) =>
  (text: string): readonly string[] =>
    patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, address = '']) => address));
const none = (): readonly string[] => [];

const TOML =
  /\b(?:url|git|registry|index|index-url|extra-index-url|default-index)\s{0,9}=\s{0,9}["']([^"'\n]{1,2000})/g;
const GRADLE = /\burl\s{0,9}[=(\s]\s{0,9}(?:uri\s{0,9}\(\s{0,9})?["']([^"'\n]{1,2000})/g;
const PACKAGE_URL = /"((?:git\+|https?:|git:|ssh:|git@|github:|gitlab:|bitbucket:)[^"\n]{1,2000})"/g;
const GITHUB = (key: string): RegExp =>
  new RegExp(`\\b${key}:\\s{0,9}["']([\\w.-]{1,100}/[\\w.-]{1,100})["']`, 'g');

/** Every recognised kind of file; a folder that contains one uses its ecosystem. */
export const PROJECT_FILES: readonly ProjectFile[] = [
  { source: 'npm', name: /^package\.json$/, addresses: dependencyAddresses },
  {
    source: 'npm',
    name: /^\.npmrc$/,
    addresses: found(/^[ \t]{0,9}(?:@[\w.-]{1,200}:)?registry[ \t]{0,9}=[ \t]{0,9}["']?([^\s"']{1,2000})/gm),
  },
  {
    source: 'npm',
    name: /^\.yarnrc$/,
    addresses: found(/^[ \t]{0,9}"?(?:@[\w.-]{1,200}:)?registry"?[ \t]{1,9}"?([^\s"]{1,2000})/gm),
  },
  {
    source: 'npm',
    name: /^\.yarnrc\.yml$/,
    addresses: found(/\bnpmRegistryServer:[ \t]{0,9}["']?([^\s"']{1,2000})/g),
  },
  { source: 'npm', name: /^bunfig\.toml$/, addresses: found(TOML) },
  {
    source: 'npm',
    name: /^(?:package-lock|npm-shrinkwrap)\.json$/,
    addresses: found(/"resolved":[ ]{0,9}"([^"\n]{1,2000})"/g),
  },
  { source: 'npm', name: /^yarn\.lock$/, addresses: found(/^[ ]{1,9}resolved "([^"#\n]{1,2000})/gm) },
  {
    source: 'npm',
    name: /^pnpm-lock\.yaml$/,
    addresses: found(/\b(?:tarball|repo):[ ]{1,9}([^\s,}]{1,2000})/g),
  },
  { source: 'npm', name: /^bun\.lockb?$/, addresses: none },
  {
    source: 'python',
    name: /^(?:requirements[\w.-]*\.txt|requirements\/[\w.-]+\.txt|constraints[\w.-]*\.txt)$/,
    addresses: found(/^[^#\n]{0,300}?\b((?:git\+)?(?:https?|ssh):\/\/[^\s"';]{1,2000})/gm),
  },
  {
    source: 'python',
    name: /^(?:pyproject\.toml|uv\.toml|Pipfile|poetry\.lock|uv\.lock|pdm\.lock|poetry\.toml)$/,
    addresses: found(TOML, /@ ((?:git\+)?https?:[^"'\s]{1,2000})/g),
  },
  { source: 'python', name: /^Pipfile\.lock$/, addresses: found(/"url":[ ]{0,9}"([^"\n]{1,2000})"/g) },
  { source: 'python', name: /^setup\.(?:py|cfg)$/, addresses: none },
  { source: 'go', name: /^go\.(?:mod|work)$/, addresses: none },
  { source: 'cargo', name: /^Cargo\.toml$/, addresses: found(/\bgit[ ]{0,9}=[ ]{0,9}"([^"\n]{1,2000})"/g) },
  {
    source: 'cargo',
    name: /^Cargo\.lock$/,
    addresses: found(
      // This is how the index of crates.io is written, but it is reached elsewhere.
      /source = "(?:registry|git|sparse)\+(?!https:\/\/github\.com\/rust-lang\/crates\.io-index")([^"#?\n]{1,2000})/g,
    ),
  },
  {
    source: 'cargo',
    name: /^\.cargo\/config(?:\.toml)?$/,
    addresses: found(/\b(?:registry|index)[ ]{0,9}=[ ]{0,9}"(?:sparse\+|registry\+)?([^"\n]{1,2000})"/g),
  },
  {
    source: 'hex',
    name: /^mix\.exs$/,
    addresses: (text) => [
      ...found(/\bgit:\s{0,9}"([^"\n]{1,2000})"/g)(text),
      ...found(GITHUB('github'))(text).map((path) => `github:${path}`),
    ],
  },
  { source: 'hex', name: /^mix\.lock$/, addresses: found(/\{:git, "([^"\n]{1,2000})"/g) },
  {
    source: 'maven',
    name: /^pom\.xml$/,
    addresses: found(/<(?:pluginR|r)epository>[^]{0,500}?<url>\s{0,99}([^<\s]{1,2000})/g),
  },
  {
    source: 'maven',
    name: /^(?:build|settings)\.gradle(?:\.kts)?$/,
    addresses: (text) => [
      ...found(GRADLE)(text),
      ...(/\bgoogle\s{0,9}\(/.test(text) ? ['https://dl.google.com', 'https://maven.google.com'] : []),
    ],
  },
  {
    source: 'maven',
    name: /^(?:build\.sbt|project\/plugins\.sbt)$/,
    addresses: (text) => [
      ...found(/\bat\s{1,9}"([^"\n]{1,2000})"/g)(text),
      // Where sbt gets Scala and its plugins by default.
      'https://repo1.maven.org',
      'https://repo.scala-sbt.org',
    ],
  },
  {
    source: 'maven',
    name: /^(?:gradle\/wrapper\/gradle-wrapper|\.mvn\/wrapper\/maven-wrapper)\.properties$/,
    addresses: (text) =>
      found(/^distributionUrl[ ]{0,9}=[ ]{0,9}(\S{1,2000})/gm)(text).map((url) => url.replace('\\:', ':')),
  },
  {
    source: 'rubygems',
    name: /^(?:Gemfile|gems\.rb)$/,
    addresses: (text) => [
      ...found(/\b(?:source|git:)[ (]{1,9}["']([^"'\n]{1,2000})/g)(text),
      ...found(GITHUB('github'))(text).map((path) => `github:${path}`),
    ],
  },
  { source: 'rubygems', name: /^Gemfile\.lock$/, addresses: found(/^[ ]{1,9}remote: (\S{1,2000})/gm) },
  {
    source: 'rubygems',
    name: /^\.bundle\/config$/,
    addresses: found(/^BUNDLE_MIRROR\S{0,300}: "?([^\s"]{1,2000})/gm),
  },
  { source: 'composer', name: /^composer\.json$/, addresses: found(/"url":[ ]{0,9}"([^"\n]{1,2000})"/g) },
  {
    source: 'composer',
    name: /^composer\.lock$/,
    addresses: found(/"type": "(?:zip|tar|git)",\s{1,99}"url": "([^"\n]{1,2000})"/g),
  },
  {
    source: 'nuget',
    name: /^nuget\.config$/i,
    addresses: found(/<add\s[^<>]{0,300}?value="(https?:[^"\n]{1,2000})"/gi),
  },
  { source: 'nuget', name: /^[\w.-]+\.(?:sln|slnx|csproj|fsproj|vbproj)$|^global\.json$/, addresses: none },
  { source: 'git', name: /^\.git\/config$/, addresses: addressesOfRemotes },
  { source: 'git', name: /^\.gitmodules$/, addresses: addressesOfRemotes },
];

/** Only the dependencies of a manifest count: it names its own home page too. */
function dependencyAddresses(text: string): readonly string[] {
  const sections = [...text.matchAll(/"(?:\w{1,20}D|d)ependencies":\s{0,99}\{([^{}]{0,500000})\}/g)];
  return sections.flatMap(([, section = '']) => [
    ...found(PACKAGE_URL)(section),
    ...found(/:\s{0,9}"([\w.-]{1,100}\/[\w.-]{1,100}(?:#[^"\n]{0,200})?)"/g)(section).map(
      (path) => `github:${path}`,
    ),
  ]);
}

/** Addresses that git fetches from by its settings: of remotes and submodules, as `insteadOf` rewrites them. */
function addressesOfRemotes(text: string): readonly string[] {
  const urls: string[] = [];
  const rewrites: { prefix: string; base: string }[] = [];
  let section = '';
  let name = '';
  for (const row of text.split('\n')) {
    const head = /^\s{0,99}\[([\w-]{1,99})(?:\s{1,9}"([^"]{0,2000})")?\]/.exec(row);
    if (head !== null) [, section = '', name = ''] = head;
    const [, key = '', value = ''] = /^\s{0,99}(\w{1,99})\s{0,9}=\s{0,9}"?([^\s"]{1,2000})/.exec(row) ?? [];
    const isUrl = /^(?:remote|submodule)$/i.test(section) && key.toLowerCase() === 'url';
    if (isUrl) urls.push(value);
    if (/^url$/i.test(section) && key.toLowerCase() === 'insteadof')
      rewrites.push({ prefix: value, base: name });
  }
  return urls.map((url) => {
    // Git takes the longest match.
    const [longest] = rewrites
      .filter(({ prefix }) => url.startsWith(prefix))
      .toSorted((a, b) => b.prefix.length - a.prefix.length);
    return longest === undefined ? url : longest.base + url.slice(longest.prefix.length);
  });
}
