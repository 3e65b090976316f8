import { SandboxError } from '@signalbox/core';
import { expect, test } from 'vitest';
import { executionOf, ExecutionReport, reportOf } from './execution-order.ts';

test.each([true, false])(
  'a command that could not be confined is distinguished from a broken sandbox: %s',
  (isOfCommand) => {
    const thrown = new SandboxError('Cannot run it', { why: ['x'], next: ['y'], isOfCommand });
    const report = ExecutionReport.parse(JSON.parse(JSON.stringify(reportOf(thrown))));
    expect(() => executionOf(report)).toThrow(
      expect.objectContaining({ code: thrown.code, message: 'Cannot run it', why: ['x'], next: ['y'] }),
    );
  },
);
