import { locate } from '../paths/paths.ts';
import { REPOSITORY_CODE, type EvaluationContext } from '../program.ts';
import type { Value } from '../word.ts';

/** Variables that list module folders of interpreters. */
const FOLDERS =
  /^(?:PYTHONPATH|PYTHONUSERBASE|NODE_PATH|GEM_(?:PATH|HOME)|BUNDLE_GEMFILE|PERLLIB|LUA_C?PATH|CLASSPATH)$/;
/** Variables that name a program for builds. */
const PROGRAMS = /^(?:CC|CXX|CPP|LD|AR|AS|FC|PYTHON|NODE|RUBY|PERL)$/;

/** `PYTHONPATH=./lib`, `CC=./cc`: whether any program may then run code of the workspace. */
export function loadsOwnCode(name: string, value: Value, { state, lineContext }: EvaluationContext): boolean {
  const isList = FOLDERS.test(name);
  if (!isList && !PROGRAMS.test(name)) return false;
  if (value.kind !== 'literal') return true;
  const parts = isList ? value.text.split(':') : value.text.split(' ').filter((word) => word.includes('/'));
  // An empty part is the program's own directory, an empty list none.
  return (
    value.text !== '' && parts.some((one) => locate(one || '.', state.cwd, lineContext)?.place !== 'outside')
  );
}

/** Code of the workspace runs in a program that is not known for it: it gets no network of the line. */
export function noteOwnCode({ report }: EvaluationContext): void {
  report.effect(REPOSITORY_CODE);
  report.sources.unanalysedPrograms += 1;
}
