/**
 * The Chromium that renders widgets: the one in the setting, else an installed one. Nothing is
 * installed here.
 */
import { installedChromium, isProgram } from './installed-chromium.mjs';

export type FoundChromium =
  | { readonly path: string }
  /** One sentence about how to get one. */
  | { readonly missing: string };

/**
 * `setting`: a path, `off`, or undefined. Of the environment only `PATH` and Playwright's browser
 * folder are read.
 */
export function findChromium(
  setting: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): FoundChromium {
  if (setting === 'off') {
    return { missing: 'Widgets are not shown here, because PROOFMARK_CHROMIUM is off; unset it.' };
  }
  if (setting !== undefined && setting !== '') {
    if (isProgram(setting)) return { path: setting };
    return {
      missing: `PROOFMARK_CHROMIUM names ${setting}, which is not a program; correct or unset it.`,
    };
  }
  const path = installedChromium(environment);
  if (path !== undefined) return { path };
  return {
    missing:
      'No Chromium was found to show widgets in; install one (such as the package chromium-headless-shell), or name one in PROOFMARK_CHROMIUM.',
  };
}
