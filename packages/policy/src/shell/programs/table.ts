import type { Program } from '../program.ts';
import { archives } from './archives.ts';
import { builds } from './builds.ts';
import { builtins } from './builtins.ts';
import { changeFiles } from './change-files.ts';
import { checkers } from './checkers.ts';
import { cargo } from './cargo.ts';
import { cmake } from './cmake.ts';
import { commandRunners } from './command-runners.ts';
import { compilers } from './compilers.ts';
import { containers } from './containers.ts';
import { copyFiles } from './copy-files.ts';
import { databases } from './databases.ts';
import { deno } from './deno.ts';
import { dotnet } from './dotnet.ts';
import { downloads } from './downloads.ts';
import { editors } from './editors.ts';
import { frameworks } from './frameworks.ts';
import { git } from './git.ts';
import { go } from './go.ts';
import { inspectFiles } from './inspect-files.ts';
import { interpreters } from './interpreters.ts';
import { jobs } from './jobs.ts';
import { javascriptBuilds } from './javascript-builds.ts';
import { javascriptTests } from './javascript-tests.ts';
import { javascript } from './javascript.ts';
import { libraryPackages } from './library-packages.ts';
import { lookAround } from './look-around.ts';
import { machinePackages } from './machine-packages.ts';
import { machineServices } from './machine-services.ts';
import { make } from './make.ts';
import { mix } from './mix.ts';
import { nativeCheckers } from './native-checkers.ts';
import { network } from './network.ts';
import { node } from './node.ts';
import { pythonChecks } from './python-checks.ts';
import { pythonPackages } from './python-packages.ts';
import { pythonSessions } from './python-sessions.ts';
import { ownProgram } from './own-program.ts';
import { print } from './print.ts';
import { python } from './python.ts';
import { readFiles } from './read-files.ts';
import { repeatingWrappers } from './repeating-wrappers.ts';
import { replacing } from './replacing.ts';
import { search } from './search.ts';
import { services } from './services.ts';
import { shellSettings } from './shell-settings.ts';
import { shells } from './shells.ts';
import { system } from './system.ts';
import { sqlite } from './sqlite.ts';
import { tar } from './tar.ts';
import { textChecks } from './text-checks.ts';
import { textPrograms } from './text-programs.ts';
import { versions } from './versions.ts';
import { wrappers } from './wrappers.ts';
import { yarn } from './yarn.ts';

/** Every family. A new one is a file beside this one and a line here. */
export const FAMILIES: Readonly<Record<string, readonly Program[]>> = {
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
  lookAround,
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

let byName: ReadonlyMap<string, Program> | undefined;

/** Programs of which several versions stand side by side; `cat5` is no `cat`. */
const VERSIONED =
  /^(?:python|pypy|pip|ipython|gcc|g\+\+|cc|c\+\+|clang|clang\+\+|clang-format|clang-tidy|php|ruby|perl|lua|luajit|erl|tclsh|node|nodejs|java|bash|zsh|ksh|guile|psql|pg_dump|pg_dumpall|pg_restore|pg_ctl|gawk|sqlite|gpg|python-config|phpunit|rspec|bundle|gem|rake|rails)$/;

/** The program of that name; `python3.12` is `python`, as `gcc-13` is `gcc`. */
export function programNamed(name: string): Program | undefined {
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
