/** Opens an address where a browser can be: the program that BROWSER names, else that of the desktop. */
import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

export function browserProgram(
  environment: Environment,
  platform: NodeJS.Platform,
): string | undefined {
  if (environment['BROWSER']) return environment['BROWSER'];
  // On the machine at the other end of a connection nobody would see it.
  if (environment['CI'] || environment['SSH_CONNECTION']) return undefined;
  if (platform === 'darwin') return 'open';
  if (platform === 'win32') return 'explorer';
  return environment['DISPLAY'] || environment['WAYLAND_DISPLAY'] ? 'xdg-open' : undefined;
}

export function openInBrowser(address: string): void {
  const program = browserProgram(process.env, process.platform);
  if (program === undefined) return;
  const child = spawn(program, [address], { stdio: 'ignore', detached: true });
  // The address is printed too, so who has no such program opens it by hand.
  child.once('error', () => undefined);
  child.unref();
}
