import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { printNotice } from '../output.ts';
import { UsageProblem } from './exit-codes.ts';

export async function writeOutput(text: string, file: string | undefined): Promise<void> {
  if (file === undefined || file === '-') {
    process.stdout.write(text);
    return;
  }
  await writeFile(file, text).catch((error: NodeJS.ErrnoException) => {
    throw new UsageProblem(
      error.code === 'ENOENT' && !existsSync(path.dirname(path.resolve(file)))
        ? `${file} cannot be written, because its folder does not exist; create the folder, or name another file.`
        : `${file} cannot be written (${error.message}); name another file.`,
    );
  });
  printNotice(`wrote ${file}.`);
}
