import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, expect, test } from 'vitest';
import { writeOutput } from './write-output.ts';

const directory = temporaryDirectory();
afterAll(() => directory.remove());

test('a file without its folder names the folder, and any other the refusal of the system', async () => {
  const missing = writeOutput('x', `${directory.path}/none/x.html`);
  await expect(missing).rejects.toThrow('its folder does not exist; create the folder');
  const refused = writeOutput('x', directory.path);
  await expect(refused).rejects.toThrow(/cannot be written \(EISDIR: .*\); name another file/);
});
