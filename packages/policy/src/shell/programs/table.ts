import type { ProgramRules } from '../program.ts';
import { archives } from './files/archives.ts';
import { builds } from './builds/builds.ts';
import { builtins } from './shells/builtins.ts';
import { changeFiles } from './files/change-files.ts';
import { checkers } from './builds/checkers.ts';
import { cargo } from './builds/cargo.ts';
import { cmake } from './builds/cmake.ts';
import { commandRunners } from './shells/command-runners.ts';
import { compilers } from './builds/compilers.ts';
import { containers } from './services/containers.ts';
import { copyFiles } from './files/copy-files.ts';
import { databases } from './services/databases.ts';
import { deno } from './node/deno.ts';
import { dotnet } from './builds/dotnet.ts';
import { downloads } from './network/downloads.ts';
import { editors } from './files/editors.ts';
import { frameworks } from './node/frameworks.ts';
import { git } from './git/git.ts';
import { go } from './builds/go.ts';
import { inspectFiles } from './files/inspect-files.ts';
import { interpreters } from './shells/interpreters.ts';
import { jobs } from './machine/jobs.ts';
import { javascriptBuilds } from './node/javascript-builds.ts';
import { javascriptTests } from './node/javascript-tests.ts';
import { javascript } from './node/javascript.ts';
import { libraryPackages } from './builds/library-packages.ts';
import { readOnlyPrograms } from './files/read-only.ts';
import { machinePackages } from './machine/machine-packages.ts';
import { machineServices } from './machine/machine-services.ts';
import { make } from './builds/make.ts';
import { mix } from './builds/mix.ts';
import { nativeCheckers } from './builds/native-checkers.ts';
import { network } from './network/network.ts';
import { node } from './node/node.ts';
import { pythonChecks } from './python/python-checks.ts';
import { pythonPackages } from './python/python-packages.ts';
import { pythonSessions } from './python/python-sessions.ts';
import { ownProgram } from './own-program.ts';
import { print } from './files/print.ts';
import { python } from './python/python.ts';
import { readFiles } from './files/read-files.ts';
import { repeatingWrappers } from './shells/repeating-wrappers.ts';
import { replacing } from './files/replacing.ts';
import { search } from './files/search.ts';
import { services } from './services/services.ts';
import { shellSettings } from './shells/shell-settings.ts';
import { shells } from './shells/shells.ts';
import { system } from './machine/system.ts';
import { sqlite } from './services/sqlite.ts';
import { tar } from './files/tar.ts';
import { textChecks } from './builds/text-checks.ts';
import { textPrograms } from './files/text-programs.ts';
import { versions } from './builds/versions.ts';
import { wrappers } from './shells/wrappers.ts';
import { yarn } from './node/yarn.ts';

/** Every family. A new one is a file beside this one and a line here. */
export const FAMILIES: Readonly<Record<string, readonly ProgramRules[]>> = {
  archives,
  builds,
  builtins,
  changeFiles,
  cargo,
  checkers,
  cmake,
  commandRunners,
  compilers,
  containers,
  copyFiles,
  databases,
  deno,
  dotnet,
  downloads,
  editors,
  frameworks,
  git,
  go,
  inspectFiles,
  interpreters,
  javascript,
  javascriptBuilds,
  javascriptTests,
  jobs,
  libraryPackages,
  readOnlyPrograms,
  machinePackages,
  machineServices,
  make,
  mix,
  nativeCheckers,
  network,
  node,
  ownProgram,
  print,
  python,
  pythonChecks,
  pythonPackages,
  pythonSessions,
  readFiles,
  repeatingWrappers,
  replacing,
  search,
  services,
  shellSettings,
  shells,
  sqlite,
  system,
  tar,
  textChecks,
  textPrograms,
  versions,
  wrappers,
  yarn,
};

let byName: ReadonlyMap<string, ProgramRules> | undefined;

/** Programs installed in several versions side by side; `cat5` is no `cat`. */
const VERSIONED =
  /^(?:python|pypy|pip|ipython|gcc|g\+\+|cc|c\+\+|clang|clang\+\+|clang-format|clang-tidy|php|ruby|perl|lua|luajit|erl|tclsh|node|nodejs|java|bash|zsh|ksh|guile|psql|pg_dump|pg_dumpall|pg_restore|pg_ctl|gawk|sqlite|gpg|python-config|phpunit|rspec|bundle|gem|rake|rails)$/;

/** The program of that name; `python3.12` is `python`, as `gcc-13` is `gcc`. */
export function programNamed(name: string): ProgramRules | undefined {
  byName ??= new Map(
    Object.values(FAMILIES)
      .flat()
      .flatMap((program) => program.names.map((one) => [one, program] as const)),
  );
  const exact = byName.get(name);
  if (exact !== undefined || !/\d$/.test(name)) return exact;
  const stem = name.replace(/(?:-|(?<![\d.]))\d+(?:\.\d+)*$/, '');
  return VERSIONED.test(stem) ? byName.get(stem) : undefined;
}
