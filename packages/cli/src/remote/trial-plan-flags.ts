import { defaultFalseFail, defaultLook, defaultMiss, StatedTrialPlan } from '@proofmark/domain';
import { type Command, InvalidArgumentError } from 'commander';
import { UsageProblem } from './exit-codes.ts';

export interface TrialPlanFlags {
  readonly healthyRate?: number;
  readonly drop?: number;
  readonly falseFail?: number;
  readonly miss?: number;
  readonly look?: number;
}

export function withTrialPlanFlags(command: Command): Command {
  return command
    .option('--healthy-rate <rate>', 'pass rate of a healthy case; needs --drop, too', readRate)
    .option(
      '--drop <rate>',
      'smallest drop that must fail; plays as many trials as needed; needs --healthy-rate, too',
      readRate,
    )
    .option(
      '--false-fail <rate>',
      `how often a healthy case may fail (default: ${defaultFalseFail})`,
      readRate,
    )
    .option('--miss <rate>', `how often the drop may pass (default: ${defaultMiss})`, readRate)
    .option('--look <number>', `trials between two looks (default: ${defaultLook})`, Number);
}

/** Returns undefined without a trial plan flag. */
export function readTrialPlan(
  flags: TrialPlanFlags,
  beside: readonly (readonly [flag: string, value: unknown])[],
): StatedTrialPlan | undefined {
  const { healthyRate, drop, falseFail, miss, look } = flags;
  const given = Object.entries({ healthyRate, drop, falseFail, miss, look });
  const stated = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  if (Object.keys(stated).length === 0) return undefined;
  if (healthyRate === undefined || drop === undefined) {
    const missing = healthyRate === undefined ? '--healthy-rate' : '--drop';
    throw new UsageProblem(
      `A plan needs --healthy-rate and --drop; ${missing} is missing, for example --healthy-rate 0.95 --drop 0.1.`,
    );
  }
  const [other] = beside.find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined) {
    throw new UsageProblem(`A plan decides how many trials are played; remove ${other}.`);
  }
  const read = StatedTrialPlan.safeParse(stated);
  if (read.success) return read.data;
  const [problem] = read.error.issues;
  const flag = String(problem?.path[0]).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageProblem(`--${flag}: ${problem?.message}`);
}

function readRate(text: string): number {
  const rate = /^(0?\.\d+|[01])$/.test(text) ? Number(text) : Number.NaN;
  if (rate >= 0 && rate <= 1) return rate;
  throw new InvalidArgumentError('Give a rate from 0 to 1, for example 0.9.');
}
