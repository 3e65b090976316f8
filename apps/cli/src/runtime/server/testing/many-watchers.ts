// Watches the events of a server with many connections, and reports how late each event was on each of them.
//
//   node many-watchers.ts URL TOKEN WATCHERS
//
// Prints `watching` when all connections have said hello. When its input ends, prints all delays as a JSON list of
// microseconds. Events to be timed carry their creation time, in monotonic nanoseconds, as their reason.
import { once } from 'node:events';
import { connect } from 'node:net';

const [url = '', token = '', count = '1'] = process.argv.slice(2);
const { host, port } = new URL(url);
const delays: number[] = [];
let greeted = 0;

for (let n = 0; n < Number(count); n++) {
  const socket = connect(Number(port), '127.0.0.1');
  let rest = '';
  let isGreeted = false;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    const now = process.hrtime.bigint();
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const made = /"reason":"(\d+)"/.exec(block)?.[1];
      if (made !== undefined) delays.push(Number(now - BigInt(made)) / 1000);
      if (isGreeted || !block.includes('event: hello')) continue;
      isGreeted = true;
      greeted += 1;
      if (greeted === Number(count)) process.stdout.write('watching\n');
    }
  });
  socket.write(`GET /api/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
}

process.stdin.resume();
await once(process.stdin, 'end');
process.stdout.write(`${JSON.stringify(delays.map((delay) => Math.round(delay)))}\n`, () => process.exit(0));
