import {
  defaultFalseFail,
  defaultHealthyRate,
  defaultLook,
  defaultMiss,
  StatedTrialPlan,
} from '@proofmark/domain';
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
    .option(
      '--drop <rate>',
      'smallest drop that must fail; plays as many trials as needed',
      readRate,
    )
    .option(
      '--healthy-rate <rate>',
      `pass rate of a healthy case, beside --drop (default: ${defaultHealthyRate})`,
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
  const { drop, falseFail, miss, look } = flags;
  const given = Object.entries({ healthyRate: flags.healthyRate, drop, falseFail, miss, look });
  const stated = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  const [first] = Object.keys(stated);
  if (first === undefined) return undefined;
  if (drop === undefined) {
    throw new UsageProblem(
      `${flagOf(first)} belongs to a plan; add the smallest drop that must fail, such as --drop 0.1.`,
    );
  }
  const [other] = beside.find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined) {
    throw new UsageProblem(`A plan decides how many trials are played; remove ${other}.`);
  }
  const read = StatedTrialPlan.safeParse({ healthyRate: defaultHealthyRate, ...stated });
  if (read.success) return read.data;
  const [problem] = read.error.issues;
  throw new UsageProblem(`${flagOf(String(problem?.path[0]))}: ${problem?.message}`);
}

function flagOf(term: string): string {
  return `--${term.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function readRate(text: string): number {
  const rate = /^(0?\.\d+|[01])$/.test(text) ? Number(text) : Number.NaN;
  if (rate >= 0 && rate <= 1) return rate;
  throw new InvalidArgumentError('Give a rate from 0 to 1, for example 0.9.');
}
