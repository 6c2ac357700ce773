/**
 * The Chromium that renders widgets: the one in the setting, otherwise an installed one. Nothing is
 * installed here.
 */
import { installedChromium, isProgram } from './installed-chromium.mjs';

export type FoundChromium =
  | { readonly path: string }
  /** A sentence that says how to get a browser. */
  | { readonly missing: string };

/**
 * `setting` is a path, `off`, or undefined. From the environment, only `PATH` and the variable for
 * Playwright's browser folder are read.
 */
export function findChromium(
  setting: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): FoundChromium {
  if (setting === 'off') {
    return {
      missing: 'This service shows no widgets, because PROOFMARK_CHROMIUM is off; unset it.',
    };
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
