import type { Tool } from '@signalbox/core';
import { bash } from './bash.tool.ts';
import { deleteFile } from './delete-file.tool.ts';
import { echo } from './echo.tool.ts';
import { editFile } from './edit-file.tool.ts';
import { failingTool } from './failing-tool.tool.ts';
import { getCurrentTime } from './get-current-time.tool.ts';
import { gitAdd } from './git-add.tool.ts';
import { gitCommit } from './git-commit.tool.ts';
import { gitDiff } from './git-diff.tool.ts';
import { gitLog } from './git-log.tool.ts';
import { gitStatus } from './git-status.tool.ts';
import { listDirectory } from './list-directory.tool.ts';
import { readFile } from './read-file.tool.ts';
import { readOutput } from './read-output.tool.ts';
import { runLinter } from './run-linter.tool.ts';
import { runTests } from './run-tests.tool.ts';
import { searchFiles } from './search-files.tool.ts';
import { undo } from './undo.tool.ts';
import { writeFile } from './write-file.tool.ts';

/** Every built-in tool, for the registry. Each parses its own arguments. */
export function catalogue(): readonly Tool[] {
  return [
    readFile,
    listDirectory,
    searchFiles,
    writeFile,
    editFile,
    deleteFile,
    bash,
    gitStatus,
    gitDiff,
    gitLog,
    gitAdd,
    gitCommit,
    runTests,
    runLinter,
    readOutput,
    getCurrentTime,
    echo,
    failingTool,
    undo,
  ] as readonly unknown[] as readonly Tool[];
}
