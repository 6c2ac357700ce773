import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '@proofmark/harness/start-child.ts';
import {
  type TemporaryDirectory,
  temporaryDirectory,
} from '@proofmark/harness/temporary-directory.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataDirectoryInUse, livingHolder, lockDataDirectory } from './data-directory-lock.ts';
import { bootId, processStart } from './process-facts.ts';

const lockChild = fileURLToPath(
  new URL('../../../../harness/src/hold-lock.child.ts', import.meta.url),
);
let directory: TemporaryDirectory;
let children: Child[];

beforeEach(() => {
  directory = temporaryDirectory();
  children = [];
});
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map((child) => child.closed));
  directory.remove();
});

test('a second holder is refused with a sentence that names the first and what to do', () => {
  const lock = lockDataDirectory(directory.path);
  lock.describe({ url: 'http://127.0.0.1:3300' });
  const since = livingHolder(directory.path)?.startedAt;
  const refused = () => lockDataDirectory(directory.path);
  expect(refused).toThrow(DataDirectoryInUse);
  expect(refused).toThrow(
    `The data directory ${directory.path} is in use by process ${process.pid} at http://127.0.0.1:3300 since ${since}: use that one, stop it first, or choose another directory with --data-dir.`,
  );
  lock.release();
  expect(livingHolder(directory.path)).toBeUndefined();
  lockDataDirectory(directory.path).release();
  expect(readdirSync(directory.path)).toEqual([]);
});

test('a holder that was killed does not keep the directory', { timeout: 20_000 }, async () => {
  const child = startChild(lockChild, [directory.path, '0']);
  children.push(child);
  expect(await child.first).toEqual({ held: true });
  expect(() => lockDataDirectory(directory.path)).toThrow(`process ${child.pid} since`);
  child.kill('SIGKILL');
  await child.closed;
  lockDataDirectory(directory.path).release();
  expect(readdirSync(directory.path)).toEqual([]);
});

const living = { pid: process.pid, startedAt: '2026-01-01T00:00:00.000Z' };
test.each([
  [
    'another boot',
    { ...living, id: 'a', processStart: processStart(process.pid), bootId: 'other' },
  ],
  ['a reused process number', { ...living, id: 'a', processStart: '1', bootId: bootId() }],
  ['a dead process', { ...living, id: 'a', pid: 4_000_000, processStart: '1', bootId: bootId() }],
  ['half a file', '{"pid": 1, "proc'],
  ['an empty file', ''],
])('the lock of %s is taken over', (_, content) => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(directory.path, 'lock.json'), text);
  const lock = lockDataDirectory(directory.path);
  expect(livingHolder(directory.path)?.pid).toBe(process.pid);
  lock.release();
  expect(readdirSync(directory.path)).toEqual([]);
});

test('a claim whose maker died before it was done is taken over too', () => {
  const dead = { ...living, processStart: '1', bootId: bootId() };
  writeFileSync(join(directory.path, 'lock.json'), JSON.stringify({ ...dead, id: 'a' }));
  writeFileSync(join(directory.path, 'lock.after-a'), JSON.stringify({ ...dead, id: 'b' }));
  writeFileSync(join(directory.path, 'lock.after-b'), '');
  const lock = lockDataDirectory(directory.path);
  expect(readdirSync(directory.path)).toEqual(['lock.json']);
  lock.release();
});

test('a lock that is no longer ours is not released', () => {
  const lock = lockDataDirectory(directory.path);
  const other = JSON.stringify({ ...living, id: 'other', processStart: '1', bootId: bootId() });
  writeFileSync(join(directory.path, 'lock.json'), other);
  lock.release();
  expect(readFileSync(join(directory.path, 'lock.json'), 'utf8')).toBe(other);
});

test('of processes that race for stale locks exactly one wins each', {
  timeout: 60_000,
}, async () => {
  const rounds = 40;
  for (let round = 0; round < rounds; round += 1) {
    mkdirSync(join(directory.path, String(round)));
    const stale = { ...living, id: 'stale', processStart: '1', bootId: bootId() };
    // Every second round begins with a stale lock file, the others without one.
    if (round % 2 === 0) {
      writeFileSync(join(directory.path, String(round), 'lock.json'), JSON.stringify(stale));
    }
  }
  const startAt = String(Date.now() + 2_500);
  for (let n = 0; n < 4; n += 1) {
    children.push(startChild(lockChild, [directory.path, String(rounds), startAt]));
  }
  const won = await Promise.all(
    children.map(async (child) => (await child.first)['won'] as number[]),
  );
  expect(won.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: rounds }, (_, n) => n));
});
