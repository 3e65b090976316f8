import { REPORT_FILE, type WorkspaceLines } from '@signalbox/core';
import { projectText, scriptOf } from './project-text.ts';

type FileNames = Readonly<{ names: ReadonlySet<string> }>;

/** A script that is more than one plain command: what is added would reach another program. */
const NOT_PLAIN = /[^\w\s./:=@,+-]/;
/** Somebody has already decided about reports. */
const REPORTS = /report|output-?file|junit/i;

/**
 * How the program of a found line also writes a report for programs, without a change of what it prints; undefined when it
 * can't, or when the project has settings for reports of its own, which ours would replace.
 */
export function reportOf(
  line: string,
  workspace: string,
  { names }: FileNames,
): WorkspaceLines['testsReport'] {
  switch (line) {
    case 'npm test':
      return ofScript(scriptOf(workspace, 'test') ?? '', workspace, { names });
    case 'pytest': {
      const files = ['pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg', 'conftest.py'];
      if (decides(files, workspace, { names })) return undefined;
      // The older family of the two has file and line.
      return { flags: '', env: { PYTEST_ADDOPTS: `--junitxml=${REPORT_FILE} -o junit_family=xunit1` } };
    }
    case 'deno test':
      return { flags: `--junit-path=${REPORT_FILE}`, env: {} };
    default:
      return undefined;
  }
}

function ofScript(script: string, workspace: string, { names }: FileNames): WorkspaceLines['testsReport'] {
  const [program, ...words] = script.trim().split(/\s+/);
  if (NOT_PLAIN.test(script) || REPORTS.test(script)) return undefined;
  if (program === 'vitest') {
    // Any file: settings may be in one that another reads.
    const files = [...names].filter((name) => /^(?:vite|vitest)\..*\.?[cm]?[jt]s$/.test(name));
    if (words.some((word) => /^(?:watch|dev|bench|list|init)$/.test(word))) return undefined;
    if (decides(files, workspace, { names })) return undefined;
    return {
      flags: `-- --reporter=default --reporter=json --outputFile.json=${REPORT_FILE}`,
      env: {},
    };
  }
  if (program === 'jest') {
    const files = [...names].filter((name) => name.startsWith('jest.config.'));
    if (decides([...files, 'package.json'], workspace, { names })) return undefined;
    return { flags: `-- --json --outputFile=${REPORT_FILE}`, env: {} };
  }
  if (program === 'node' && words.includes('--test') && words.every((word) => word.startsWith('-')))
    return {
      flags: `-- --test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=${REPORT_FILE}`,
      env: {},
    };
  return undefined;
}

function decides(files: readonly string[], workspace: string, { names }: FileNames): boolean {
  return files.some((name) => names.has(name) && REPORTS.test(projectText(workspace, name) ?? ''));
}
