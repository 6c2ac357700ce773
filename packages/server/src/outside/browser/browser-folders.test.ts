import { existsSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  makeBrowserFolder,
  removeBrowserFolder,
  removeOldBrowserFolders,
} from './browser-folders.ts';

test('folders of rooms that were killed with their service are removed after a day', async () => {
  const [old, live] = [await makeBrowserFolder(), await makeBrowserFolder()];
  const before = new Date(Date.now() - 25 * 60 * 60 * 1000);
  utimesSync(old, before, before);
  await removeOldBrowserFolders();
  expect([existsSync(old), existsSync(live)]).toEqual([false, true]);
  await removeBrowserFolder(live);
  expect(existsSync(live)).toBe(false);
});
