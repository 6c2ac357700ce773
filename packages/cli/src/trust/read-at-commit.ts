/**
 * Reads a file from a commit that the caller trusts, such as the base of a pull request. The file
 * in the working folder may have been changed by that pull request.
 */
import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { UsageProblem } from '../remote/exit-codes.ts';
import { absoluteFolders } from './absolute-folders.ts';

const largestBytes = 4 * 1024 * 1024;

/** Returns undefined if the commit has no such file. */
export function readAtCommit(file: string, commit: string): string | undefined {
  if (file === '-') return undefined;
  if (!/^[\w./@{}^~][\w./@{}^~-]*$/.test(commit)) {
    throw new UsageProblem(`--trust-base takes a commit or a branch, not ${commit}.`);
  }
  const folder = path.dirname(path.resolve(file));
  git(folder, ['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], () => {
    throw new UsageProblem(
      `The commit ${commit} of --trust-base is not in this repository; fetch it first.`,
    );
  });
  const name = `${commit}:./${path.basename(file)}`;
  return git(folder, ['cat-file', 'blob', name], () => undefined);
}

function git<Missing>(
  folder: string,
  words: readonly string[],
  missing: () => Missing,
): string | Missing {
  const program = absoluteFolders(process.env['PATH'] ?? '')
    .map((place) => path.join(place, 'git'))
    .find((place) => {
      try {
        accessSync(place, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
  if (program === undefined) throw new UsageProblem('--trust-base needs git, which was not found.');
  try {
    return execFileSync(program, ['-C', folder, ...words], {
      encoding: 'utf8',
      maxBuffer: largestBytes,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return missing();
  }
}
