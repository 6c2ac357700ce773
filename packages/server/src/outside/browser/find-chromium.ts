/** The Chromium that widgets are shown in: the one the setting names, else one that is installed. None is installed here. */
import { installedChromium, isProgram } from './installed-chromium.mjs';

export type FoundChromium =
  | { readonly path: string }
  /** One sentence that says how to get one. */
  | { readonly missing: string };

/** `setting`: a path, `off`, or nothing. Of the environment only `PATH` and where Playwright keeps browsers are read. */
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
