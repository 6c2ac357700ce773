import { execFileSync } from 'node:child_process';
import { temporaryDirectory } from './temporary-directory.ts';

/** In most containers, even root cannot mount a disk. */
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
