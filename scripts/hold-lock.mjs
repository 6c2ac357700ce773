// A lock file between processes. The holder touches it every two seconds; it is stale if its
// process on this host is gone, or if it was not touched for fifteen seconds.
import { randomUUID } from 'node:crypto';
import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const touchEveryMs = 2_000;
const staleAfterMs = 15_000;
const lookAgainMs = 150;

export async function holdLock(file) {
  const own = JSON.stringify({ pid: process.pid, host: hostname(), token: randomUUID() });
  let hasReportedWaiting = false;
  while (!tryToCreate(file, own)) {
    const holder = readHolder(file);
    if (holder === undefined) continue;
    if (isStale(holder)) {
      removeStale(file, holder.text);
      continue;
    }
    if (!hasReportedWaiting)
      process.stderr.write('Waiting for another process that is preparing.\n');
    hasReportedWaiting = true;
    await sleep(lookAgainMs);
  }
  const timer = setInterval(() => touch(file), touchEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    if (readHolder(file)?.text === own) rmSync(file, { force: true });
  };
}

function tryToCreate(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(file) {
  try {
    return { text: readFileSync(file, 'utf8'), touchedMs: statSync(file).mtimeMs };
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function isStale({ text, touchedMs }) {
  if (Date.now() - touchedMs > staleAfterMs) return true;
  try {
    const { pid, host } = JSON.parse(text);
    return host === hostname() && !isAlive(pid);
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

// Between the check and the removal, another process may have taken the lock. The renamed file is
// therefore checked again, and put back if it is not the stale lock.
function removeStale(file, staleText) {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (readFileSync(aside, 'utf8') !== staleText) linkSync(aside, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  }
  rmSync(aside, { force: true });
}

function touch(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Another process has removed the lock. Work continues, and the later release finds no lock to
    // remove.
  }
}
