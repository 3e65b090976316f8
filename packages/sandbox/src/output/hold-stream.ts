import { Socket } from 'node:net';

/** Sets whether an open stream keeps our process alive. Applies to pipes and sockets only. */
export function holdStream(stream: unknown, isHeld: boolean): void {
  if (!(stream instanceof Socket)) return;
  if (isHeld) stream.ref();
  else stream.unref();
}
