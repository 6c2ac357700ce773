import { readFileSync } from 'node:fs';
import type { ReportFormat } from '@proofmark/domain';
import { expect, it } from 'vitest';
import { readReport } from './read-report.ts';
import { ReportProblem } from './report.ts';

const samples: [string, ReportFormat][] = [
  ['vitest3.json', 'vitest-json'],
  ['jest29.json', 'jest-json'],
  ['pytest-junit.xml', 'junit-xml'],
  ['playwright-junit.xml', 'junit-xml'],
];

it.each(samples)(
  '200 damaged copies of %s are read or refused, and never crash',
  (file, format) => {
    const original = readFileSync(new URL(`./samples/${file}`, import.meta.url));
    const random = numbersFrom(20_261_115);
    let refused = 0;
    for (let round = 0; round < 200; round += 1) {
      const bytes = damage(original, random);
      try {
        const report = readReport(bytes, format);
        expect(report.tests.length + report.errors.length).toBeGreaterThan(0);
        for (const test of report.tests) {
          expect(test.externalIterationId).toMatch(/^[a-zA-Z0-9_.:-]+-\d+$/);
          expect(test.passed === undefined).toBe(test.status === 'skipped');
        }
      } catch (error) {
        if (!(error instanceof ReportProblem)) throw error;
        expect(error.message).toMatch(
          /^The .+[.!?…]$|^(An|A|Values|Elements) .+\.$|^The report contains no tests/s,
        );
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(20);
  },
);

function damage(original: Uint8Array, random: (below: number) => number): Uint8Array {
  const bytes = original.slice();
  const at = random(bytes.length);
  const other = random(bytes.length);
  const length = 1 + random(40);
  switch (random(5)) {
    case 0:
      bytes[at] = random(256);
      return bytes;
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return bytes.subarray(at);
    case 3:
      bytes.copyWithin(at, other, Math.min(other + length, bytes.length));
      return bytes;
    default:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
  }
}

function numbersFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
