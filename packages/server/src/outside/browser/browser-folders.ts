/** Each browser process has a folder of its own, which goes with it. Where both it and the service were killed, the next one clears up. */
import { chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SystemUser } from '@proofmark/domain';

const beginning = 'proofmark-room-';
/** No browser process lives that long: it ends when nobody uses it, and after so many pages. */
const oldMs = 24 * 60 * 60 * 1000;

/** Of the user that the process will have. */
export async function makeRoomFolder(user?: SystemUser): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), beginning));
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  return folder;
}

export function isRoomFolder(folder: string): boolean {
  return path.basename(folder).startsWith(beginning);
}

/**
 * Retries: after its process was killed the browser writes for some more seconds, until it notices.
 */
export async function removeRoomFolder(folder: string): Promise<void> {
  const patiently = { recursive: true, force: true, maxRetries: 10, retryDelay: 200 };
  await rm(folder, patiently).catch(() => undefined);
}

/** Deletes old folders. Those it may not delete, for example of another user, stay. */
export async function removeOldRoomFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const folder of names.filter(isRoomFolder).map((name) => path.join(tmpdir(), name))) {
    const changedMs = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - changedMs > oldMs) await removeRoomFolder(folder);
  }
}
