/**
 * Folders of browser processes. Each process has its own folder, which is removed when the process
 * ends. If the service was killed too, a later start removes the folder.
 */
import { chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { SystemUser } from '@proofmark/domain';

const beginning = 'proofmark-room-';
/**
 * The age after which a folder counts as unused. No browser process lives that long, because it
 * ends when idle and after a maximum number of pages.
 */
const oldMs = 24 * 60 * 60 * 1000;

export async function makeBrowserFolder(user?: SystemUser): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), beginning));
  if (user !== undefined) await chown(folder, user.uid, user.gid);
  return folder;
}

export function isBrowserFolder(folder: string): boolean {
  return path.basename(folder).startsWith(beginning);
}

/**
 * Removes the folder with retries, because a browser whose process was killed continues to write
 * for some seconds.
 */
export async function removeBrowserFolder(folder: string): Promise<void> {
  const patiently = { recursive: true, force: true, maxRetries: 10, retryDelay: 200 };
  await rm(folder, patiently).catch(() => undefined);
}

/**
 * Deletes old folders. Folders that this user may not delete, such as those of another user, stay.
 */
export async function removeOldBrowserFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const folder of names.filter(isBrowserFolder).map((name) => path.join(tmpdir(), name))) {
    const changedMs = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => Date.now(),
    );
    if (Date.now() - changedMs > oldMs) await removeBrowserFolder(folder);
  }
}
