import { clockContract } from './testing/contracts/clock-contract.ts';
import { createSystemClock } from './system-clock.ts';

clockContract('the system clock', () => {
  const clock = createSystemClock();
  return {
    clock,
    pass: (ms) =>
      new Promise((resolve) => {
        clock.timer(ms, resolve);
      }),
  };
});
