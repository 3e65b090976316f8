import type { NetworkSource } from '@signalbox/core';
import type { Style } from '../../options.ts';

/** Calls of a program that gets packages or commits from the sources in the project's own files. */
export type FetchProgram = Readonly<{
  programs: readonly string[];
  source: NetworkSource;
  /** One or several words; `''` for none. The longest first. */
  verbs: readonly string[];
  /** Options that leave the hosts and the folder unchanged, in the notation of `options.ts`: any other is unknown. */
  options: string;
  style?: Style;
  /** Words that may follow the verb: a name, a version, a file of the workspace. */
  operand: RegExp;
  /** The same for the first word alone. Default: `operand`. */
  first?: RegExp;
}>;

const verbs = (text: string): readonly string[] => text.split(' ');

/** `zod`, `@types/node@22`, `lodash@^4.1`: another slash would make it a repository. */
const NODE_PACKAGE = /^(?:@[\w.-]+\/)?[\w][\w.-]*(?:@[\w.^~<>=*+-]+)?$/;
/** `requests`, `httpx[http2]>=0.27,<1`, `.`, `./lib[dev]`. */
const PYTHON_PACKAGE =
  /^(?:[\w.-]+(?:\[[\w,.-]+\])?(?:@[\w.^~*]+|[<>=!~][\w.<>=!~*+, -]*)?|\.{1,2}(?:\/[\w./-]*)?(?:\[[\w,.-]+\])?)$/;
const NAME = /^[\w.-]+$/;

/** Every call of a package manager and of git that names no host of its own. */
export const FETCHING: readonly FetchProgram[] = [
  {
    programs: ['npm'],
    source: 'npm',
    verbs: verbs(
      'install i in add ci clean-install uninstall remove rm r un update up upgrade dedupe ddp prune rebuild install-test it install-ci-test cit view info show v outdated search find audit ping',
    ),
    options:
      '-DEOPBSfqsdlayp -w: --save --save-dev --save-exact --save-prod --save-optional --save-peer --save-bundle --no-save --audit --no-audit --fund --no-fund --prefer-offline --prefer-online --offline --ignore-scripts --omit= --include= --only= --production --package-lock-only --no-package-lock --legacy-peer-deps --strict-peer-deps --force --json --long --silent --quiet --verbose --loglevel= --progress --no-progress --workspace= --workspaces --include-workspace-root --dry-run --audit-level= --depth= --all --tag= --yes --no-optional --optional --prefer-dedupe --no-bin-links --parseable --no-color --no-update-notifier --install-strategy= --foreground-scripts --engine-strict --if-present',
    operand: NODE_PACKAGE,
  },
  {
    programs: ['pnpm'],
    source: 'npm',
    verbs: verbs(
      'install i add ci remove rm uninstall un update up upgrade prune dedupe rebuild rb fetch outdated audit view info',
    ),
    options:
      '-rwDEOPLs -F: --recursive --workspace-root --save-dev --save-exact --save-optional --save-prod --save-peer --prod --production --dev --frozen-lockfile --no-frozen-lockfile --offline --prefer-offline --ignore-scripts --latest --filter= --silent --reporter= --force --lockfile-only --no-optional --fix-lockfile --json --long --depth= --shamefully-hoist --strict-peer-dependencies --no-lockfile --audit-level= --fix --workspace --no-bail --parallel --stream --aggregate-output --if-present',
    operand: NODE_PACKAGE,
  },
  {
    programs: ['yarn'],
    source: 'npm',
    verbs: [...verbs('install add remove upgrade up outdated info audit dedupe'), ''],
    options:
      '-DETPOsLARCW --dev --exact --tilde --caret --peer --optional --production --silent --json --all --recursive --latest --frozen-lockfile --immutable --immutable-cache --check-cache --check-files --flat --pure-lockfile --ignore-scripts --ignore-engines --ignore-platform --prefer-offline --offline --force --non-interactive --no-progress --network-timeout= --mode= --inline-builds --verbose --ignore-workspace-root-check --no-lockfile',
    // Without a verb a word would be the name of a script.
    operand: NODE_PACKAGE,
  },
  {
    programs: ['bun'],
    source: 'npm',
    verbs: verbs('install i add a remove rm update outdated'),
    options:
      '-dDEpf --dev --development --exact --optional --peer --production --frozen-lockfile --no-save --silent --verbose --ignore-scripts --force --no-progress --latest --dry-run --no-cache --save-text-lockfile',
    operand: NODE_PACKAGE,
  },
  {
    programs: ['pip', 'pip3'],
    source: 'python',
    verbs: verbs('install download wheel uninstall list index'),
    options:
      '-UqvyIo -r: -c: -e: -d: -w: --upgrade --upgrade-strategy= --quiet --verbose --yes --no-deps --pre --no-cache-dir --disable-pip-version-check --no-input --force-reinstall --ignore-installed --no-build-isolation --no-binary= --only-binary= --prefer-binary --dest= --wheel-dir= --require-hashes --requirement= --constraint= --editable= --no-compile --progress-bar= --root-user-action= --break-system-packages --use-pep517 --dry-run --python-version= --platform= --no-color --no-warn-script-location --isolated --outdated --format= --require-virtualenv --no-index --group=',
    operand: PYTHON_PACKAGE,
  },
  {
    programs: ['uv'],
    source: 'python',
    verbs: ['pip install', 'pip sync', 'pip compile', 'pip uninstall', ...verbs('sync add remove lock')],
    options:
      '-qvUn -r: -e: -P: --requirements= --editable= --frozen --locked --all-extras --extra= --group= --no-group= --dev --no-dev --all-groups --only-dev --upgrade --upgrade-package= --quiet --verbose --no-sync --offline --package= --all-packages --inexact --exact --no-install-project --no-cache --refresh --reinstall --optional= --prerelease= --resolution= --dry-run --no-editable --compile-bytecode --link-mode= --active',
    operand: PYTHON_PACKAGE,
  },
  {
    programs: ['poetry', 'pipenv', 'pdm'],
    source: 'python',
    verbs: verbs('install add update lock sync remove uninstall'),
    options:
      '-nqvdDG: -E: --no-interaction --no-root --with= --without= --only= --sync --group= --dev --extras= --all-extras --quiet --verbose --no-ansi --no-update --dry-run --lock --no-directory --regenerate --optional --python= --skip-lock --deploy --ignore-pipfile --categories= --no-lock --frozen-lockfile --prod',
    operand: PYTHON_PACKAGE,
  },
  {
    programs: ['go'],
    source: 'go',
    verbs: ['mod tidy', 'mod download', 'mod vendor', 'mod verify', 'get', 'list', 'install'],
    options: '-u? -t -v -x -d -e -json -m -versions -f= -compat= -go= -n',
    style: 'long',
    // Modules come from the module proxy, whatever host their name begins with.
    operand: /^(?:\.{1,2}(?:\/[\w./-]*)?|all|[\w-]+(?:\.[\w-]+)+(?:\/[\w.~-]+)*(?:@[\w.+~^<>=-]+)?)$/,
  },
  {
    programs: ['cargo'],
    source: 'cargo',
    verbs: verbs('fetch update add remove rm search info generate-lockfile'),
    options:
      '-qvnw -p: -F: --package= --features= --no-default-features --default-features --all-features --dev --build --optional --no-optional --locked --offline --frozen --quiet --verbose --dry-run --precise= --recursive --aggressive --workspace --target= --limit= --color= --rename= --public',
    operand: /^[\w-]+(?:@[\w.^~=*<>,-]+)?$/,
  },
  {
    programs: ['mix'],
    source: 'hex',
    verbs: verbs(
      'deps.get deps.update deps.unlock deps.clean deps.compile hex.outdated hex.info hex.search hex.audit',
    ),
    options: '--only= --all --force --no-compile --no-archives-check --no-deps-check --check-locked --unused',
    operand: NAME,
  },
  {
    programs: ['bundle', 'bundler'],
    source: 'rubygems',
    verbs: verbs('install i update add lock outdated check info'),
    options:
      '-q -j: -g: -v: --jobs= --retry= --quiet --without= --with= --frozen --deployment --local --clean --full-index --prefer-local --redownload --group= --version= --skip-install --strict --patch --minor --major --conservative --all',
    operand: NAME,
  },
  {
    programs: ['gem'],
    source: 'rubygems',
    verbs: verbs('install update outdated search list fetch info'),
    options:
      '-Nqrfav: --version= --no-document --conservative --quiet --prerelease --pre --minimal-deps --force --remote --all --exact',
    operand: /^[\w.-]+(?::[\w.]+)?$/,
  },
  {
    programs: ['composer'],
    source: 'composer',
    verbs: verbs('install i update u upgrade require remove outdated show audit fund search'),
    options:
      '-nqvoaWwD --no-interaction --prefer-dist --no-dev --dev --no-scripts --no-progress --no-plugins --quiet --verbose --optimize-autoloader --with-dependencies --with-all-dependencies --ignore-platform-reqs --ignore-platform-req= --dry-run --no-autoloader --prefer-lowest --prefer-stable --no-update --no-install --lock --direct --format= --locked --no-ansi --ansi --minor-only --strict',
    operand: /^(?:[\w.-]+\/)?[\w.-]+(?:[:=][\w.^~<>=*|-]+)?$/,
  },
  {
    programs: ['dotnet'],
    source: 'nuget',
    verbs: ['add package', 'restore'],
    options:
      '-v: --verbosity= --no-cache --force --locked-mode --version= --prerelease --no-restore --nologo -nologo',
    operand: /^[\w./-]+$/,
  },
  {
    programs: ['git'],
    source: 'git',
    verbs: ['remote show', 'remote update', 'remote prune', 'submodule update', 'fetch', 'pull', 'ls-remote'],
    options:
      '-# -aptvqfkn46r -j: --no-pager --all --append --atomic --depth= --deepen= --shallow-since= --unshallow --update-shallow --dry-run --force --keep --multiple --prune --prune-tags --no-tags --tags --recurse-submodules? --no-recurse-submodules --jobs= --set-upstream --quiet --verbose --progress --show-forced-updates --ipv4 --ipv6 --filter= --ff-only --ff --no-ff --rebase? --no-rebase --autostash --no-autostash --no-edit --squash --no-commit --commit --stat --no-stat --heads --branches --refs --get-url --symref --exit-code --init --recursive --remote --merge --no-fetch --recommend-shallow --single-branch',
    // A remote, then branches: with a colon in it the first word would be a host.
    first: /^\w[\w.-]*$/,
    operand: /^\+?[\w./][\w./*^-]*(?::[\w./*-]+)?$/,
  },
];
