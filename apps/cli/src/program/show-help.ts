import type { GlobalFlags } from '../runtime/contract/global-flags.ts';
import { pageOut } from '../live/page-out.ts';

/** Shows a page of the help. */
export async function showHelp(text: string, host: NodeJS.Process, flags: GlobalFlags): Promise<void> {
  const ignoreInterrupts = (): (() => void) => {
    const ignore = (): void => undefined;
    host.on('SIGINT', ignore);
    return () => host.off('SIGINT', ignore);
  };
  await pageOut({ text, fills: (rows) => text.split('\n').length > rows, ignoreInterrupts }, host, flags);
}
