import type { Span } from '@signalbox/core';
import { inOrder } from './in-order.ts';
import type { Scene } from './program.ts';

const PRIVILEGED =
  /with administrator privileges|(?:^|["'`\s;&|(!=/])(?:\/usr\/bin\/|\/bin\/)?(?:sudo|doas|pkexec|su\s+-)(?=["'`\s,;]|$)/;

/** Program text of another language is not read, but what it plainly starts is heard. */
export function judgeHiddenText(text: string, span: Span, scene: Scene): void {
  if (PRIVILEGED.test(text)) {
    scene.report.raise('blocked', 'privilege', 'starts a program that asks for more rights', span);
    scene.report.effect({ kind: 'privilege', program: 'sudo' });
  }
  if (text.split(';').some((part) => multiplies(part))) {
    scene.report.raise('blocked', 'fork-bomb', 'a process that starts itself again and again', span);
  }
}

function multiplies(part: string): boolean {
  return (
    inOrder(part, /\bfork\b/, /\b(?:while|until)\b/) || inOrder(part, /\b(?:while|until|loop)\b/, /\bfork\b/)
  );
}
