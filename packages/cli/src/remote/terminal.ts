/**
 * Capabilities of the terminal: whether the locale supports characters beyond ASCII, and the line
 * width, from 40 to 80 columns.
 */
const widest = 80;
const narrowest = 40;

export interface TerminalAbility {
  readonly ascii: boolean;
  readonly width: number;
}

export function terminalAbility(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  columns: number | undefined = process.stdout.columns,
): TerminalAbility {
  const locale = environment['LC_ALL'] || environment['LC_CTYPE'] || environment['LANG'] || 'POSIX';
  const ascii = !/utf-?8/i.test(locale) || environment['TERM'] === 'dumb';
  // Some terminals, such as those of CI systems, report 0 columns.
  const width = !columns ? widest : Math.max(narrowest, Math.min(widest, columns));
  return { ascii, width };
}
