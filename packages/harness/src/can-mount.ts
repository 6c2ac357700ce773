import { execFileSync } from 'node:child_process';
import { temporaryDirectory } from './temporary-directory.ts';

/** Whether a disk of its own can be made for a test. Root in a container often may not. */
export function canMount(): boolean {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') return false;
  const probe = temporaryDirectory();
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', probe.path], { stdio: 'ignore' });
    execFileSync('umount', [probe.path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    probe.remove();
  }
}
