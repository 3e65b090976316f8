/** Of the program, as `signalbox --version` says. */
export const VERSION = '0.0.0';
