/**
 * The folders of a user for what programs keep: settings, and what a program notes for itself. A relative path in the
 * variables is ignored, as the XDG specification says: it would lead into whatever folder a command is run in.
 */
type Environment = Readonly<Record<string, string | undefined>>;

const folders = {
  config: { variable: 'XDG_CONFIG_HOME', inHome: '.config', windows: 'APPDATA' },
  state: { variable: 'XDG_STATE_HOME', inHome: '.local/state', windows: 'LOCALAPPDATA' },
} as const;

/** `home` is the folder of the account, used where HOME is not set. */
export function userFolder(
  kind: keyof typeof folders,
  environment: Environment,
  home: string,
  platform = 'linux',
): string {
  const { variable, inHome, windows } = folders[kind];
  const named = (platform === 'win32' && environment[windows]) || environment[variable] || '';
  const isWhole = named.startsWith('/') || (platform === 'win32' && /^[A-Za-z]:[\\/]/.test(named));
  return `${isWhole ? named : `${environment['HOME'] || home}/${inHome}`}/proofmark`;
}
