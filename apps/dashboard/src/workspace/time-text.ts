/** `14:32:25` in the reader's own time zone. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

/** `14:32:25` for today, else `3 Nov 14:32`. */
export function dayText(at: number, now: number): string {
  const [date, today] = [new Date(at), new Date(now)];
  if (date.toDateString() === today.toDateString()) return timeOfDay(at);
  return `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''} ${timeOfDay(at).slice(0, 5)}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
