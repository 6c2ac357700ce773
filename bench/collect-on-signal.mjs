/**
 * Preloaded into a measured service: on SIGWINCH it collects all garbage and writes the remaining
 * memory to the file in `COLLECTED_MEMORY_FILE`, so that uncollected garbage does not count as
 * growth.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const file = process.env['COLLECTED_MEMORY_FILE'];
// Only the service needs this setting. It is deleted, since programs that the service starts would
// inherit it.
delete process.env['COLLECTED_MEMORY_FILE'];
if (file !== undefined) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGWINCH', () => {
    collect();
    collect();
    writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
    renameSync(`${file}.new`, file);
  });
}
