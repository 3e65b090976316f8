// Skews the clock of a process, as on another machine: `node --import FILE` with SIGNALBOX_SKEW_MS.
const skewMs = Number(process.env['SIGNALBOX_SKEW_MS'] ?? 0);
const RightDate = Date;
const now = (): number => RightDate.now() + skewMs;

globalThis.Date = new Proxy(RightDate, {
  construct: (target, given) => (given.length === 0 ? new target(now()) : Reflect.construct(target, given)),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
