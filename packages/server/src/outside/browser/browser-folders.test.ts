import { existsSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeRoomFolder, removeOldRoomFolders, removeRoomFolder } from './browser-folders.ts';

test('folders of rooms that were killed with their service are removed after a day', async () => {
  const [old, live] = [await makeRoomFolder(), await makeRoomFolder()];
  const before = new Date(Date.now() - 25 * 60 * 60 * 1000);
  utimesSync(old, before, before);
  await removeOldRoomFolders();
  expect([existsSync(old), existsSync(live)]).toEqual([false, true]);
  await removeRoomFolder(live);
  expect(existsSync(live)).toBe(false);
});
