/**
 * Reads the least pass rate of `eval gate` and `ingest`. Numbers up to 1 are rates, larger ones
 * are percentages, and a percent sign decides in any case. So 1 is 100 %.
 */
import { InvalidArgumentError } from 'commander';

export interface PassRate {
  readonly rate: number;
  readonly percent: number;
}

export const passRateHelp =
  'least share of all results that passed: 0.9, 90 or 90% (1 means 100%; write 1% for one percent)';

export function readPassRate(text: string): PassRate {
  const [, number = '', sign] = /^(\d{1,3}(?:\.\d{1,12})?|\.\d{1,12}) ?(%)?$/.exec(text) ?? [];
  const isPercent = sign !== undefined || Number(number) > 1;
  // The exponent moves the point exactly; a multiplication would turn 0.29 into 28.999999999999996.
  const [rate, percent] = isPercent
    ? [Number(`${number}e-2`), Number(number)]
    : [Number(number), Number(`${number}e2`)];
  if (number !== '' && rate <= 1) return { rate, percent };
  throw new InvalidArgumentError(
    'Give a share from 0 to 1 or a percentage, for example 0.9 or 90%.',
  );
}
