import type { Span } from '@signalbox/core';
import type { Scene } from './program.ts';

const PRIVILEGED =
  /with administrator privileges|(?:^|["'`\s;&|(!=/])(?:\/usr\/bin\/|\/bin\/)?(?:sudo|doas|pkexec|su\s+-)(?=["'`\s,;]|$)/;
const MULTIPLIES = /\bfork\b[^;]*\b(?:while|until)\b|\b(?:while|until|loop)\b[^;]*\bfork\b/s;

/** Program text of another language is not read, but what it plainly starts is heard. */
export function judgeHiddenText(text: string, span: Span, scene: Scene): void {
  if (PRIVILEGED.test(text)) {
    scene.report.raise('blocked', 'privilege', 'starts a program that asks for more rights', span);
    scene.report.effect({ kind: 'privilege', program: 'sudo' });
  }
  if (MULTIPLIES.test(text)) {
    scene.report.raise('blocked', 'fork-bomb', 'a process that starts itself again and again', span);
  }
}
