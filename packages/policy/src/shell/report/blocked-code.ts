import type { Span } from '@signalbox/core';
import type { Report } from './report.ts';

/** Blocks a shell or an interpreter that runs what this line got from the network. */
export function raiseDownloadedCode(report: Report, span: Span): void {
  report.raise('blocked', 'network-into-shell', { text: 'runs code downloaded from the network', span });
}

/** Blocks a shell that runs what `base64 -d` or its like decoded. */
export function raiseDecodedText(report: Report, span: Span): void {
  report.raise('blocked', 'decoded-into-shell', { text: 'runs decoded text (for example base64)', span });
}
