/**
 * Watches the free space on the disk of the database. A local disk is checked regularly, and writes
 * are rejected before it is full: a PostgreSQL that cannot write its log stops, and then reads fail
 * too. A full remote disk is noticed only by PostgreSQL's errors.
 */
import { statfsSync } from 'node:fs';
import type { DiskState, Log } from '../platform/http/http-options.ts';
import type { Settings } from './settings.ts';

export interface DiskWatch extends DiskState {
  stop(): void;
}

/**
 * The interval between checks of a local disk, in milliseconds. Once space is free, writes are
 * accepted within 5 seconds, even if a client tries to write every second.
 */
const lookEveryMs = 2000;
/**
 * The milliseconds for which an error about a full disk makes the service reject writes. Then a
 * write is tried again.
 */
const fullForMs = 2000;

export function reserveBytesOf({ diskReserveMb }: Pick<Settings, 'diskReserveMb'>): number {
  return diskReserveMb * 1024 * 1024;
}

export function watchDisk(
  options: { readonly folder: string | undefined; readonly reserveBytes: number },
  log: Log,
): DiskWatch {
  const { folder, reserveBytes } = options;
  let isShort = false;
  let fullUntil = 0;
  const look = () => {
    const freeBytes = folder === undefined ? Number.POSITIVE_INFINITY : freeBytesOf(folder);
    const wasShort = isShort;
    isShort = freeBytes < reserveBytes;
    if (isShort && !wasShort) log.error({ freeBytes, reserveBytes }, 'disk nearly full');
    if (!isShort && wasShort) log.info({ freeBytes, reserveBytes }, 'disk has room again');
  };
  look();
  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  return {
    get isFull() {
      return isShort || performance.now() < fullUntil;
    },
    reportFull() {
      fullUntil = performance.now() + fullForMs;
    },
    stop: () => clearInterval(timer),
  };
}

/** Returns infinite space if the disk cannot be checked, so that writes are not rejected. */
function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
