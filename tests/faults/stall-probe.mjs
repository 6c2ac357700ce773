// Loaded into a process under test: writes down whenever its event loop was busy without a break for a while. Only
// time in which the process really worked counts, so a machine that is busy with something else does not look like
// a stall.
import { appendFileSync } from 'node:fs';

const file = process.env.STALL_FILE;
const periodMs = 5;
const worthTellingMs = 10;
let last = { wallMs: performance.now(), cpu: process.cpuUsage() };

setInterval(() => {
  const now = { wallMs: performance.now(), cpu: process.cpuUsage() };
  const workedMs = (now.cpu.user - last.cpu.user + now.cpu.system - last.cpu.system) / 1000;
  const stalledMs = Math.min(now.wallMs - last.wallMs, workedMs);
  if (stalledMs > worthTellingMs) appendFileSync(file, `${Date.now()} ${stalledMs.toFixed(1)}\n`);
  last = now;
}, periodMs).unref();
