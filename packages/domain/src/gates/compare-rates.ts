/**
 * Decides whether a pass rate is worse than another. A regression is a drop of at least `minEffect`
 * whose whole confidence interval is below zero. With fewer than five trials on either side there
 * is no answer.
 */
import type { PassCount } from './measures.ts';
import { type Difference, newcombeInterval } from './newcombe-interval.ts';

const minEffect = 0.01;
const minTrialsToCompare = 5;

export type ComparedRates =
  | { readonly outcome: 'insufficient' }
  | ({ readonly outcome: 'regression' | 'noRegression' } & Difference);

export function compareRates(base: PassCount, compared: PassCount): ComparedRates {
  const smallest = Math.min(base.trials, compared.trials);
  const difference = newcombeInterval(base, compared);
  if (smallest < minTrialsToCompare || difference === null) return { outcome: 'insufficient' };
  const worse = difference.upper < 0 && difference.delta <= -minEffect;
  return { outcome: worse ? 'regression' : 'noRegression', ...difference };
}
