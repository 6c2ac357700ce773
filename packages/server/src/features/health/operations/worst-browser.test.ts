import { expect, test } from 'vitest';
import type { BrowserLook } from './look-at-browser.ts';
import { isBrowserOfWorker, worstBrowser } from './worst-browser.ts';

const shown = { testable: true, reason: null, browser: null, warnings: [] };
const worker = (facts: BrowserLook['facts'], processId: number) => ({
  look: { shown, ...(facts && { facts }) },
  host: 'north',
  processId,
});

test('only what looks like the answer of a worker is read', () => {
  const good = worker({ started: true, sandboxed: true }, 1);
  const others = [null, 'x', {}, { look: null }, { ...good, host: 1 }, { ...good, look: {} }];
  expect([good, ...others].filter(isBrowserOfWorker)).toEqual([good]);
});

test('the browser to look at first is the one that did not start, and its process is named', () => {
  const bad = worker({ started: false, sandboxed: false }, 2);
  const all = [worker({ started: true, sandboxed: true }, 1), bad].filter(isBrowserOfWorker);
  expect(worstBrowser(all)).toEqual({ look: bad.look, foundBy: 'process 2 on north' });
  expect(worstBrowser([])).toBeUndefined();
});
