/**
 * Opens an address with the program in the variable BROWSER, or else with the desktop's own
 * program. Does nothing without either.
 */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { absoluteFolders } from '../trust/absolute-folders.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function browserProgram(
  environment: Environment,
  platform: NodeJS.Platform,
): string | undefined {
  if (environment['BROWSER']) return environment['BROWSER'];
  // In CI or a remote shell, the user would not see the browser.
  if (environment['CI'] || environment['SSH_CONNECTION']) return undefined;
  if (platform === 'darwin') return 'open';
  if (platform === 'win32') return 'explorer';
  return environment['DISPLAY'] || environment['WAYLAND_DISPLAY'] ? 'xdg-open' : undefined;
}

/**
 * Keeps only the variables that a browser needs, so that keys and tokens in the environment are not
 * passed on.
 */
export function variablesOfBrowser(environment: Environment): NodeJS.ProcessEnv {
  const ofDesktop =
    /^(DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_[A-Z_]+)$/;
  const ofUser = /^(HOME|LANG|LC_[A-Z]+|LOGNAME|PATH|SHELL|TERM|TMPDIR|USER)$/;
  const ofWindows = /^(APPDATA|LOCALAPPDATA|PATHEXT|SYSTEMROOT|TEMP|TMP|USERPROFILE|WINDIR)$/i;
  const passedOn = Object.entries(environment).filter(([name]) =>
    [ofDesktop, ofUser, ofWindows].some((names) => names.test(name)),
  );
  const { PATH } = environment;
  return {
    ...Object.fromEntries(passedOn),
    ...(PATH !== undefined && { PATH: absoluteFolders(PATH).join(path.delimiter) }),
  };
}

export function openInBrowser(address: string): void {
  const program = browserProgram(process.env, process.platform);
  if (program === undefined) return;
  const env = variablesOfBrowser(process.env);
  const child = spawn(program, [address], { stdio: 'ignore', detached: true, env });
  // If the program does not exist, the user can still open the printed address.
  child.once('error', () => undefined);
  child.unref();
}
