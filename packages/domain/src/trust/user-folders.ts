/**
 * The folders of a user for settings and for program state. Relative paths in the environment
 * variables are ignored, as the XDG specification requires: they would depend on the folder in
 * which a command runs.
 */
type Environment = Readonly<Record<string, string | undefined>>;

const folders = {
  config: { variable: 'XDG_CONFIG_HOME', inHome: '.config', windows: 'APPDATA' },
  state: { variable: 'XDG_STATE_HOME', inHome: '.local/state', windows: 'LOCALAPPDATA' },
} as const;

/** `home` is used if HOME is not set. */
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
