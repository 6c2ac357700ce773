/**
 * Watches the free space on the disk of the database. A local disk is checked regularly, and the
 * last part of it is kept free: a PostgreSQL that cannot write its log stops, and then nobody can
 * read either. For a remote disk, only errors of PostgreSQL show it.
 */
import { statfsSync } from 'node:fs';
import type { DiskState, Log } from '../platform/http/http-options.ts';
import type { Settings } from './settings.ts';

export interface DiskWatch extends DiskState {
  stop(): void;
}

/**
 * Both intervals are short enough that writes are accepted within 5 s of free space, even from a
 * client that writes every second.
 */
const lookEveryMs = 2000;
/** Milliseconds for which an error of PostgreSQL applies; then a write may try again. */
const heardForMs = 2000;

export function reserveBytesOf({ diskReserveMb }: Pick<Settings, 'diskReserveMb'>): number {
  return diskReserveMb * 1024 * 1024;
}

export function watchDisk(
  options: { readonly folder: string | undefined; readonly reserveBytes: number },
  log: Log,
): DiskWatch {
  const { folder, reserveBytes } = options;
  let isShort = false;
  let heardUntil = 0;
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
      return isShort || performance.now() < heardUntil;
    },
    heard() {
      heardUntil = performance.now() + heardForMs;
    },
    stop: () => clearInterval(timer),
  };
}

/** A disk that cannot be checked counts as not full. */
function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
