import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { UsageProblem } from './exit-codes.ts';
import { readTrialPlan, type TrialPlanFlags, withTrialPlanFlags } from './trial-plan-flags.ts';

const none = [['--iterations', undefined]] as const;

function parsed(...argv: string[]): TrialPlanFlags {
  const command = withTrialPlanFlags(new Command()).exitOverride();
  command.configureOutput({ writeErr: () => undefined });
  return command.parse(argv, { from: 'user' }).opts();
}

describe('the flags of a trial plan', () => {
  test('are the stated plan, and none where none is given', () => {
    expect(readTrialPlan(parsed(), none)).toBeUndefined();
    expect(readTrialPlan(parsed('--healthy-rate', '0.9', '--drop', '.2'), none)).toEqual({
      healthyRate: 0.9,
      drop: 0.2,
    });
    const all = ['--healthy-rate', '0.9', '--drop', '0.2', '--false-fail', '0.01'];
    expect(readTrialPlan(parsed(...all, '--miss', '0.2', '--look', '8'), none)).toEqual({
      healthyRate: 0.9,
      drop: 0.2,
      falseFail: 0.01,
      miss: 0.2,
      look: 8,
    });
  });

  test('need only the drop, as eval plan and eval gate do', () => {
    expect(readTrialPlan(parsed('--drop', '0.2'), none)).toEqual({ healthyRate: 0.95, drop: 0.2 });
    const help = withTrialPlanFlags(new Command()).helpInformation().replaceAll(/\s+/g, ' ');
    expect(help).toContain('pass rate of a healthy case, beside --drop (default: 0.95)');
  });

  test.each<[string, TrialPlanFlags, string]>([
    ['a healthy rate alone', { healthyRate: 0.9 }, '--healthy-rate belongs to a plan'],
    ['a look alone', { look: 4 }, 'such as --drop 0.1'],
    ['a drop above the usual rate', { drop: 0.96 }, '--drop: '],
    ['a drop as large as the rate', { healthyRate: 0.5, drop: 0.5 }, '--drop: '],
    ['too large an error', { healthyRate: 0.9, drop: 0.2, falseFail: 0.3 }, '--false-fail: '],
    ['half a trial', { healthyRate: 0.9, drop: 0.2, look: 2.5 }, '--look: '],
    ['no number of trials', { healthyRate: 0.9, drop: 0.2, look: Number.NaN }, '--look: '],
  ])('%s is a wrong use', (_, flags, words) => {
    expect(() => readTrialPlan(flags, none)).toThrow(UsageProblem);
    expect(() => readTrialPlan(flags, none)).toThrow(words);
  });

  test('beside a number of trials are a wrong use', () => {
    const plan = { healthyRate: 0.9, drop: 0.2 };
    expect(() => readTrialPlan(plan, [['--iterations', 3]])).toThrow('remove --iterations');
    expect(() => parsed('--healthy-rate', '90', '--drop', '0.2')).toThrow();
  });
});
