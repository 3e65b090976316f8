import { Socket } from 'node:net';

/** Says whether our own process stays for as long as a stream is open; of a pipe or socket alone. */
export function holdStream(stream: unknown, isHeld: boolean): void {
  if (!(stream instanceof Socket)) return;
  if (isHeld) stream.ref();
  else stream.unref();
}
