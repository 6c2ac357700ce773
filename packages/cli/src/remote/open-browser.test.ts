import { expect, test } from 'vitest';
import { browserProgram } from './open-browser.ts';

test.each([
  [{ BROWSER: 'firefox', CI: '1' }, 'linux', 'firefox'],
  [{ DISPLAY: ':0' }, 'linux', 'xdg-open'],
  [{ DISPLAY: ':0', SSH_CONNECTION: 'x' }, 'linux', undefined],
  [{}, 'linux', undefined],
  [{}, 'darwin', 'open'],
  [{ CI: 'true' }, 'darwin', undefined],
] as const)('with %j on %s the browser is %s', (environment, platform, program) => {
  expect(browserProgram(environment, platform)).toBe(program);
});
