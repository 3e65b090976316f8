import type { Tool } from '@signalbox/core';
import { askPerson } from './ask-person.tool.ts';
import { bash } from './shell/bash.tool.ts';
import { compressContext } from './compress-context.tool.ts';
import { deleteFile } from './files/delete-file.tool.ts';
import { echo } from './echo.tool.ts';
import { editFile } from './files/edit-file.tool.ts';
import { failingTool } from './failing-tool.tool.ts';
import { findTools } from './find-tools.tool.ts';
import { getCurrentTime } from './get-current-time.tool.ts';
import { gitAdd } from './git/git-add.tool.ts';
import { gitCommit } from './git/git-commit.tool.ts';
import { gitDiff } from './git/git-diff.tool.ts';
import { gitLog } from './git/git-log.tool.ts';
import { gitStatus } from './git/git-status.tool.ts';
import { listDirectory } from './files/list-directory.tool.ts';
import { readFile } from './files/read-file.tool.ts';
import { readOutput } from './shell/read-output.tool.ts';
import { runLinter } from './shell/run-linter.tool.ts';
import { runTests } from './shell/run-tests.tool.ts';
import { searchFiles } from './files/search-files.tool.ts';
import { undo } from './files/undo.tool.ts';
import { writeFile } from './files/write-file.tool.ts';

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
    askPerson,
    compressContext,
    getCurrentTime,
    echo,
    failingTool,
    findTools,
    undo,
  ] as readonly unknown[] as readonly Tool[];
}
