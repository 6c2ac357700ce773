import { tmpdir } from 'node:os';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { watchDisk } from './watch-disk.ts';

const messages: string[] = [];
const log = {
  info: (_: object, message: string) => void messages.push(message),
  warn: (_: object, message: string) => void messages.push(message),
  error: (_: object, message: string) => void messages.push(message),
};
const stops: (() => void)[] = [];
const watch = (folder: string | undefined, reserveBytes: number) => {
  const disk = watchDisk({ folder, reserveBytes }, log);
  stops.push(disk.stop);
  return disk;
};
afterEach(() => {
  vi.useRealTimers();
  for (const stop of stops.splice(0)) stop();
  messages.length = 0;
});

describe('the disk of the database', () => {
  test('is full as soon as less than the reserve is free, and says so once', () => {
    expect(watch(tmpdir(), 0).isFull).toBe(false);
    expect(messages).toEqual([]);
    vi.useFakeTimers();
    expect(watch(tmpdir(), Number.MAX_SAFE_INTEGER).isFull).toBe(true);
    vi.advanceTimersByTime(60_000);
    expect(messages).toEqual(['disk nearly full']);
  });

  test('is not known to be full where nobody can look', () => {
    expect(watch(undefined, Number.MAX_SAFE_INTEGER).isFull).toBe(false);
    expect(watch('/nowhere/at/all', Number.MAX_SAFE_INTEGER).isFull).toBe(false);
  });

  test('is full for a while after PostgreSQL said so', () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    const disk = watch(undefined, 0);
    disk.reportFull();
    expect(disk.isFull).toBe(true);
    vi.advanceTimersByTime(1500);
    expect(disk.isFull).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(disk.isFull).toBe(false);
  });
});
