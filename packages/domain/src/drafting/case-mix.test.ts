import { expect, test } from 'vitest';
import { resolveMix } from './case-mix.ts';

const zeros = { simple: 0, multiTool: 0, multiTurn: 0, complex: 0, negative: 0 };
const usual = { simple: 3, multiTool: 1, multiTurn: 1, complex: 0, negative: 1 };

test.each([undefined, {}, { simple: 0 }, zeros])(
  'a mix of only zeros counts as absent: %j',
  (mix) => {
    expect(resolveMix('normal', mix)).toEqual({ mix: usual });
    expect(resolveMix('negative', mix)).toEqual({ mix: { ...zeros, negative: 3 } });
  },
);

test.each(['normal', 'negative'] as const)(
  'what a mix leaves out takes the default (%s)',
  (mode) => {
    expect(resolveMix(mode, { simple: 5 })).toEqual({ mix: { ...usual, simple: 5 } });
    expect(resolveMix(mode, { ...zeros, complex: 2 })).toEqual({ mix: { ...zeros, complex: 2 } });
  },
);

test('25 are made at once and 26 are refused, defaults counted', () => {
  expect(resolveMix('normal', { simple: 10, multiTool: 10, complex: 3 })).toHaveProperty('mix');
  expect(resolveMix('normal', { simple: 10, multiTool: 10, complex: 4 })).toMatchObject({
    refusal: { code: 'VALIDATION_ERROR', details: { path: 'body.caseMix' } },
  });
});
