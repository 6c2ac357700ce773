/**
 * Whether there is room on the disk of the database. Where the disk is on this machine it is looked at again and again, and
 * the last part of it is kept free: a PostgreSQL that cannot write its log stops, and then nobody can read either. Where it
 * is elsewhere, only PostgreSQL can tell.
 */
import { statfsSync } from 'node:fs';
import type { DiskState, Log } from '../platform/http/http-options.ts';
import type { Settings } from './settings.ts';

export interface DiskWatch extends DiskState {
  stop(): void;
}

/** Both short enough that writes are taken within 5 s of room, also from a client that writes every second. */
const lookEveryMs = 2000;
/** What PostgreSQL said holds so long; then a write may try again. */
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

/** What cannot be looked at is not known to be full. */
function freeBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
