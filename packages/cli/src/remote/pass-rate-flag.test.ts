import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { evalGateCommand } from '../commands/eval/gate.ts';
import { ingestCommand } from '../commands/ingest.ts';
import { passRateHelp, readPassRate } from './pass-rate-flag.ts';

describe('a least pass rate', () => {
  test.each([
    ['0', 0, 0],
    ['0%', 0, 0],
    ['.5', 0.5, 50],
    ['0.29', 0.29, 29],
    ['0.9', 0.9, 90],
    ['0.9%', 0.009, 0.9],
    ['1', 1, 100],
    ['1.0', 1, 100],
    ['1%', 0.01, 1],
    ['1.5', 0.015, 1.5],
    ['33.3', 0.333, 33.3],
    ['90', 0.9, 90],
    ['95%', 0.95, 95],
    ['95 %', 0.95, 95],
    ['100', 1, 100],
    ['100%', 1, 100],
  ])('%s is the rate %d and %d percent', (text, rate, percent) => {
    expect(readPassRate(text)).toEqual({ rate, percent });
  });

  test.each(['', '%', '101', '100.1%', '-1', '1e1', 'all', '0,9', '9%%', '.'])(
    '%s is none',
    (text) => {
      expect(() => readPassRate(text)).toThrow('for example 0.9 or 90%');
    },
  );

  test.each<readonly [string, () => Command]>([
    ['eval gate', evalGateCommand],
    ['ingest', ingestCommand],
  ])('is read and explained alike by %s', (_, command) => {
    const option = command().options.find(({ long }) => long === '--min-pass-rate');
    expect(option?.description).toBe(passRateHelp);
    expect(option?.parseArg?.('90%', undefined)).toEqual({ rate: 0.9, percent: 90 });
  });
});
