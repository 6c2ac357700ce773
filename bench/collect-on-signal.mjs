/**
 * Preloaded into a measured service: on SIGWINCH it collects all garbage and writes what memory is left to the file in
 * `COLLECTED_MEMORY_FILE`, so that garbage which nobody has collected yet is no growth.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const file = process.env['COLLECTED_MEMORY_FILE'];
// Programs that the service starts inherit the preload and this setting; it is meant for the service alone.
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
