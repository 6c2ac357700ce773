// Preloaded into a process under test: records each long block of its event loop. Only CPU time of
// the process counts, so that a busy machine does not look like a stall. A stall is given as a
// number of parses of one JSON text, so that it does not depend on the machine's speed.
import { appendFileSync } from 'node:fs';

const file = process.env.STALL_FILE;
const periodMs = 5;
const worthTellingMs = 10;
const item = { name: 'a tool', description: 'x'.repeat(40), inputSchema: { type: 'object' } };
const text = JSON.stringify(Array.from({ length: 1200 }, () => item));
let last = { wallMs: performance.now(), cpu: process.cpuUsage() };

setInterval(() => {
  const stalledMs = workedSince(last);
  if (stalledMs > worthTellingMs) {
    const readings = stalledMs / readingMs();
    appendFileSync(file, `${Date.now()} ${readings.toFixed(1)}\n`);
  }
  last = { wallMs: performance.now(), cpu: process.cpuUsage() };
}, periodMs).unref();

function workedSince(before) {
  const cpu = process.cpuUsage(before.cpu);
  return Math.min(performance.now() - before.wallMs, (cpu.user + cpu.system) / 1000);
}

/** Returns the shortest of a few durations, since any of them may include a garbage collection. */
function readingMs() {
  const took = [];
  for (let round = 0; round < 4; round += 1) {
    const before = performance.now();
    JSON.parse(text);
    took.push(performance.now() - before);
  }
  return Math.min(...took);
}
