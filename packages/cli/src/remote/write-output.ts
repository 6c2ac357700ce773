import { writeFile } from 'node:fs/promises';
import { printNotice } from '../output.ts';
import { UsageProblem } from './exit-codes.ts';

export async function writeOutput(text: string, file: string | undefined): Promise<void> {
  if (file === undefined || file === '-') {
    process.stdout.write(text);
    return;
  }
  await writeFile(file, text).catch((error: NodeJS.ErrnoException) => {
    throw new UsageProblem(
      `${file} cannot be written (${error.code ?? 'unknown reason'}); name a file in a folder that exists.`,
    );
  });
  printNotice(`wrote ${file}.`);
}
