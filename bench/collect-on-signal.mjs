/**
 * Preloaded into a measured service. On SIGWINCH, it collects all garbage and writes the remaining
 * memory to the file in `COLLECTED_MEMORY_FILE`. Uncollected garbage then does not count as growth.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const file = process.env['COLLECTED_MEMORY_FILE'];
// Deletes the variable. Programs started by the service would otherwise inherit it.
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
