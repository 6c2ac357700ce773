import { expect, test } from 'vitest';
import { resolveSettings } from './settings.ts';
import { closeWidgets, whyNoWidgets, widgetsOfSettings } from './widgets-of-settings.ts';

const egress = { allowLoopback: false, allowedPrivateHosts: [] };

test.each([
  ['off', /PROOFMARK_CHROMIUM is off/],
  ['/nowhere/chromium', /PROOFMARK_CHROMIUM names \/nowhere\/chromium, which is not a program/],
])(
  'with PROOFMARK_CHROMIUM=%s no widget is shown, and everybody is told why',
  async (given, why) => {
    const { settings } = resolveSettings({}, { PROOFMARK_CHROMIUM: given });
    const widgets = widgetsOfSettings(settings, egress);
    expect(widgets).toEqual({ missing: expect.stringMatching(why) });
    expect(whyNoWidgets(settings)).toMatch(why);
    await closeWidgets(widgets);
  },
);
