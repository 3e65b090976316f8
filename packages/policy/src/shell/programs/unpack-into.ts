import type { Scene } from '../program.ts';
import { touchWrite } from '../touch.ts';
import { literal, type Word } from '../word.ts';

/** Unpacking may write anything below its folder. */
export function unpackInto(folder: Word | undefined, scene: Scene, span: Word['span']): void {
  scene.report.raise('warning', 'unpacks', 'unpacks files', span);
  touchWrite(scene, folder ?? literal('.', span), 'tree');
}
