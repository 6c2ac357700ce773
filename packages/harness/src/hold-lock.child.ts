/**
 * A child process for tests of directory locks. With 0 rounds it locks the directory and keeps the
 * lock. Otherwise it waits for the start time, then tries every 20 ms to lock the next numbered
 * subdirectory. It prints the numbers of the subdirectories that it locked.
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
    // A busy wait: the competing processes must try within microseconds of each other, and timers
    // are less exact.
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
