/**
 * Rejects writes before the disk of a local database is full. A PostgreSQL that cannot write its
 * write-ahead log stops, and then reads fail too. A full remote disk is noticed only by
 * PostgreSQL's errors.
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
 * After PostgreSQL reports a full disk, the service rejects writes for this many milliseconds. Then
 * it tries a write.
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
