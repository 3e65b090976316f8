/** `0.42 ms`, `12.3 ms`, `1.24 s`: three significant figures. */
export function milliseconds(ms: number): string {
  if (ms >= 9995) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 999.5) return `${(ms / 1000).toFixed(2)} s`;
  return `${ms >= 99.95 ? ms.toFixed(0) : ms >= 9.995 ? ms.toFixed(1) : ms.toFixed(2)} ms`;
}

/** `1240`, `38.2` */
export function perSecond(rate: number): string {
  return rate >= 99.95 ? rate.toFixed(0) : rate.toFixed(1);
}

/** `1.24×`, `0.0043×`. */
export function ratioText(ratio: number): string {
  return `${ratio >= 0.1 ? ratio.toFixed(2) : ratio.toPrecision(2)}×`;
}

/** `97 %`; never 100 for a smaller share. */
export function percent(share: number): string {
  return `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;
}
