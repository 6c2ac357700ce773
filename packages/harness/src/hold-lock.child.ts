/**
 * A process for tests. With 0 rounds it takes the lock of the directory and keeps it. With more, it
 * starts at the given time and tries to take the lock of each numbered directory inside, one every
 * 20 ms, and prints those that it got.
 */
import { join } from 'node:path';
import {
  DataDirectoryInUse,
  lockDataDirectory,
} from '../../server/src/platform/embedded/data-directory-lock.ts';

const [directory = '', rounds = '0', startAt = '0'] = process.argv.slice(2);
if (rounds === '0') {
  lockDataDirectory(directory);
  console.log(JSON.stringify({ held: true }));
} else {
  const won: number[] = [];
  for (let round = 0; round < Number(rounds); round += 1) {
    // A busy wait, since only then do the processes meet within microseconds.
    while (Date.now() < Number(startAt) + round * 20);
    try {
      lockDataDirectory(join(directory, String(round)));
      won.push(round);
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse)) throw error;
    }
  }
  console.log(JSON.stringify({ won }));
}
setInterval(() => {}, 1_000);
