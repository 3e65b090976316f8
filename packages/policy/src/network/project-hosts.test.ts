import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isProjectFile, projectHosts } from './project-hosts.ts';

const found = (path: string, text: string): readonly string[] =>
  projectHosts([{ path, text }])
    .all.filter(({ from }) => from !== null)
    .map(({ pattern }) => pattern);

test.each([
  [
    '.npmrc',
    'registry=https://npm.acme.example/\n@acme:registry = "https://a.example:8443/x"',
    ['npm.acme.example', 'a.example:8443'],
  ],
  ['.npmrc', '# registry=https://no.example\nsave-exact=true\n//npm.acme.example/:_authToken=x', []],
  ['web/.npmrc', 'registry=https://npm.acme.example/', ['npm.acme.example']],
  ['.npmrc', 'registry=${REGISTRY}\n', []],
  [
    '.yarnrc',
    'registry "https://y.example"\n"@acme:registry" "https://z.example"',
    ['y.example', 'z.example'],
  ],
  [
    '.yarnrc.yml',
    'npmRegistryServer: "https://y.example"\nnpmScopes:\n  a:\n    npmRegistryServer: https://z.example',
    ['y.example', 'z.example'],
  ],
  [
    'bunfig.toml',
    '[install]\nregistry = "https://b.example"\n[install.scopes]\na = { url = "https://c.example" }',
    ['b.example', 'c.example'],
  ],
  [
    'package-lock.json',
    '"resolved": "https://npm.acme.example/a/-/a-1.tgz",\n"funding": { "url": "https://no.example" }',
    ['npm.acme.example'],
  ],
  ['yarn.lock', '  resolved "https://registry.yarnpkg.com/a.tgz#abc"', ['registry.yarnpkg.com']],
  [
    'pnpm-lock.yaml',
    '  resolution: {tarball: https://codeload.github.com/a/b/tar.gz/x}',
    ['codeload.github.com'],
  ],
  [
    'package.json',
    '{ "homepage": "https://no.example", "dependencies": { "a": "git+ssh://git@git.acme.example/a.git", "b": "acme/b#v1", "c": "^1.0.0" }, "devDependencies": { "d": "gitlab:x/d", "e": "npm:@a/b@1" } }',
    ['git.acme.example', 'github.com', 'codeload.github.com', 'gitlab.com'],
  ],
  [
    'requirements-dev.txt',
    '-i https://p.example/simple\n# --find-links https://no.example\nx @ git+https://g.example/x.git\nrequests',
    ['p.example', 'g.example'],
  ],
  ['requirements/test.txt', '--extra-index-url=https://p.example/simple', ['p.example']],
  [
    'pyproject.toml',
    '[project.urls]\nHomepage = "https://no.example"\n[[tool.uv.index]]\nurl = "https://p.example/simple"\n[project]\ndependencies = ["x @ https://w.example/x.whl"]',
    ['p.example', 'w.example'],
  ],
  ['Pipfile.lock', '"url": "https://p.example/simple"', ['p.example']],
  ['uv.lock', 'source = { registry = "https://pypi.org/simple" }', []],
  [
    'Cargo.lock',
    'source = "registry+https://github.com/rust-lang/crates.io-index"\nsource = "git+https://g.example/x?rev=1#2"',
    ['g.example'],
  ],
  ['Cargo.toml', 'x = { git = "https://g.example/x" }', ['g.example']],
  [
    '.cargo/config.toml',
    '[registries.acme]\nindex = "sparse+https://cargo.acme.example/index/"',
    ['cargo.acme.example'],
  ],
  [
    'mix.exs',
    '{:a, github: "acme/a"}, {:b, git: "https://g.example/b.git"}',
    ['g.example', 'github.com', 'codeload.github.com'],
  ],
  ['mix.lock', '"b": {:git, "https://g.example/b.git", "ref", []}', ['g.example']],
  [
    'pom.xml',
    '<url>https://no.example</url><repositories><repository><id>a</id>\n<url>https://m.example/repo</url></repository></repositories>',
    ['m.example'],
  ],
  [
    'build.gradle.kts',
    'repositories { google(); maven { url = uri("https://m.example") } }',
    ['m.example', 'dl.google.com', 'maven.google.com'],
  ],
  [
    'build.sbt',
    'resolvers += "acme" at "https://m.example/repo"',
    ['m.example', 'repo1.maven.org', 'repo.scala-sbt.org'],
  ],
  ['settings.gradle', "maven { url 'https://m.example' }", ['m.example']],
  [
    'app/gradle/wrapper/gradle-wrapper.properties',
    'distributionUrl=https\\://d.example/gradle-8-bin.zip',
    ['d.example'],
  ],
  [
    'Gemfile',
    "source 'https://gems.example'\ngem 'a', git: 'https://g.example/a.git'\ngem 'b', github: 'x/b'",
    ['gems.example', 'g.example', 'github.com', 'codeload.github.com'],
  ],
  ['Gemfile.lock', 'GEM\n  remote: https://gems.example/', ['gems.example']],
  ['.bundle/config', 'BUNDLE_MIRROR__HTTPS://RUBYGEMS__ORG/: "https://gems.example"', ['gems.example']],
  [
    'composer.json',
    '{ "repositories": [{ "type": "composer", "url": "https://c.example" }] }',
    ['c.example'],
  ],
  [
    'composer.lock',
    '"dist": {\n "type": "zip",\n "url": "https://z.example/a.zip"\n}, "funding": [{ "url": "https://no.example", "type": "other" }]',
    ['z.example'],
  ],
  ['NuGet.Config', '<add key="acme" value="https://n.example/index.json" />', ['n.example']],
  [
    '.git/config',
    '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n\tpushurl = https://no.example/x\n[branch "main"]\n\tremote = origin',
    ['github.com'],
  ],
  [
    '.git/config',
    '[remote "o"]\n url = ssh://git@h.example:2222/x\n[remote "p"]\n URL = "https://p.example:8443/x"',
    ['h.example', 'p.example:8443'],
  ],
  [
    '.git/config',
    '[remote "o"]\n url = gh:acme/x\n[url "https://a.example/"]\n insteadOf = gh:\n[url "https://b.example/"]\n insteadOf = gh:acme/',
    ['b.example'],
  ],
  ['.git/config', '[remote "o"]\n url = ../other.git\n[remote "p"]\n url = file:///srv/x.git', []],
  ['.gitmodules', '[submodule "lib"]\n path = lib\n url = https://g.example/lib.git', ['g.example']],
  ['go.mod', 'require evil.example/x v1.0.0', []],
])('%s names its hosts: %j', (path, text, hosts) => {
  expect(isProjectFile(path)).toBe(true);
  expect(found(path, text)).toEqual(hosts);
});

test('a project that uses an ecosystem has its usual hosts, each once and with the file that names it', () => {
  const { all, of } = projectHosts([
    { path: 'package.json', text: '{}' },
    { path: 'web/.npmrc', text: 'registry=https://registry.npmjs.org/\n@a:registry=https://a.example' },
  ]);
  expect(all).toEqual([
    { source: 'npm', host: 'registry.npmjs.org', pattern: 'registry.npmjs.org', from: null },
    { source: 'npm', host: 'a.example', pattern: 'a.example', from: 'web/.npmrc' },
  ]);
  expect(of('hex').map(({ host }) => host)).toEqual(['repo.hex.pm', 'builds.hex.pm', 'hex.pm']);
  expect(of('git')).toEqual([]);
});

test.each([
  ['package.json', '"dependencies":{'],
  ['nuget.config', '<add value="https:'],
])('a %s of sections that never end is read once', (path, section) => {
  expect(found(path, section.repeat(30_000))).toEqual([]);
});

test('a file that floods a project with hosts does not lengthen the list beyond what a person reads', () => {
  const text = Array.from({ length: 500 }, (_, at) => `@s${at}:registry=https://h${at}.example`).join('\n');
  expect(projectHosts([{ path: '.npmrc', text }]).of('npm')).toHaveLength(64);
});

test('each host that is read from any such file is one that the gate understands', () => {
  const path = fc.constantFrom(
    '.npmrc',
    '.git/config',
    'requirements.txt',
    'package.json',
    'pom.xml',
    'composer.lock',
  );
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'registry=',
      'https://',
      '[remote "x"]\n url = ',
      '"resolved": "',
      '{',
      '\n',
      '@',
      ':8443',
      '"dependencies": {',
    ),
    fc.domain(),
  );
  fc.assert(
    fc.property(path, fc.array(piece, { maxLength: 12 }), (name, pieces) => {
      for (const { host, pattern } of projectHosts([{ path: name, text: pieces.join('') }]).all) {
        expect(pattern.startsWith(host)).toBe(true);
        expect(host).not.toMatch(/[\s/@*]/);
      }
    }),
  );
});
