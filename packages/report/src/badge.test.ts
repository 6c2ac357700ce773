import { runsOf } from '@proofmark/harness/fixed-seed.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { badgeSvg } from './badge.ts';

const green = { verdict: 'passed', passed: 10, total: 10, suites: ['Order desk'] } as const;
const titleOf = (svg: string) => /<title id="title">(.*)<\/title>/.exec(svg)?.[1];

test('shows and says the verdict with its cases', () => {
  const svg = badgeSvg(green);
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" height="20"/);
  expect(svg).toContain('>10/10 passed</text>');
  expect(titleOf(svg)).toBe('Proofmark, Order desk: passed, 10 of 10 cases passed');
  expect(svg).toContain('role="img" aria-labelledby="title"');
});

test('a failed one and an open one look and sound different', () => {
  const red = badgeSvg({ ...green, verdict: 'failed', passed: 8 });
  expect(red).toContain('>8/10 passed</text>');
  expect(titleOf(red)).toBe('Proofmark, Order desk: failed, 8 of 10 cases passed');
  const open = badgeSvg({ ...green, verdict: 'inconclusive', suites: ['a', 'b'] });
  expect(open).toContain('>inconclusive</text>');
  expect(titleOf(open)).toBe('Proofmark, 2 suites: inconclusive, 10 of 10 cases passed');
  const colours = [badgeSvg(green), red, open].map((svg) => /fill="(#\w{6})"/.exec(svg)?.[1]);
  expect(new Set(colours).size).toBe(3);
});

test('a name makes no element, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const svg = badgeSvg({ ...green, suites: [`${name}<script>&"'`] });
      expect(svg.match(/<\w+/g)).toEqual(badgeSvg(green).match(/<\w+/g));
      expect(svg).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
    }),
    runsOf(100),
  );
});
