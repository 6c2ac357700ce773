// Loaded into a process under test: writes down whenever its event loop was busy without a break for a while. Only
// time in which the process really worked counts, so a machine that is busy with something else does not look like
// a stall. How fast the machine is just then is measured beside it: a stall is told as so many readings of one JSON text.
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

/** The quickest of a few, since the first may wait for a collection of garbage. */
function readingMs() {
  const took = [];
  for (let round = 0; round < 4; round += 1) {
    const before = performance.now();
    JSON.parse(text);
    took.push(performance.now() - before);
  }
  return Math.min(...took);
}
