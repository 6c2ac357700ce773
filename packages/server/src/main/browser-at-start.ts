/**
 * The browser that renders widgets needs a sandbox. Warns at the start if this machine cannot
 * provide one.
 */
import { execFile } from 'node:child_process';
import type { SystemUser } from '@proofmark/domain';
import { systemUser } from '../outside/browser/system-user.ts';
import type { Settings } from './settings.ts';
import { whyNoWidgets } from './widgets-of-settings.ts';

export async function warnOfBrowser(
  settings: Settings,
  warn: (sentence: string) => void,
): Promise<void> {
  if (whyNoWidgets(settings) !== null) return;
  const { chromiumSandbox, chromiumUser } = settings;
  if (chromiumSandbox === 'off') {
    return warn(
      'Widgets are shown in a browser without its sandbox, because PROOFMARK_CHROMIUM_SANDBOX is off.',
    );
  }
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? systemUser(chromiumUser) : undefined;
  const shown = chromiumSandbox === 'auto' && isRoot ? 'without its sandbox' : 'not at all';
  if (isRoot && user === undefined) {
    return warn(
      `There is no user ${chromiumUser} for the browser that shows widgets, and a browser of root cannot have a sandbox: widgets are shown ${shown}. Name another user in PROOFMARK_CHROMIUM_USER, or run the service as a user other than root.`,
    );
  }
  if (await mayMakeNamespaces(user)) return;
  warn(
    `The browser that shows widgets cannot have its sandbox, because user namespaces cannot be created on this machine: widgets are shown ${shown}. proofmark admin health shows more after the browser has started.`,
  );
}

/**
 * Runs `unshare` to find out whether the user may create namespaces, which the browser's sandbox
 * needs. Returns true if `unshare` is missing, because nothing is then known.
 */
function mayMakeNamespaces(user: SystemUser | undefined): Promise<boolean> {
  if (process.platform !== 'linux') return Promise.resolve(true);
  const as = user === undefined ? {} : { uid: user.uid, gid: user.gid };
  const options = { ...as, cwd: '/', timeout: 10_000, env: { PATH: '/usr/bin:/bin' } };
  return new Promise((resolve) => {
    try {
      execFile('unshare', ['--user', '--pid', '--fork', 'true'], options, (error) =>
        resolve(error === null || typeof error.code !== 'number'),
      );
    } catch {
      // `execFile` throws if this process may not switch to that user, for example in a user
      // namespace that contains only root.
      resolve(false);
    }
  });
}
