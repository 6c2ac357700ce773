import {
  type CostOfTrial,
  count,
  type ForecastCosts,
  grouped,
  percent,
  type RunForecast,
  type VariantForecast,
} from '@proofmark/domain';

/** A type that fits both the domain's forecast and the forecast from the API. */
export type ShownForecast = Omit<VariantForecast, 'smallestDrop'> & {
  readonly smallestDrop?: number | null | undefined;
};

export function forecastSentences(one: ShownForecast): string[] {
  if (one.deterministic) {
    return ['One trial is enough, because no model is asked, or only the built-in model.'];
  }
  return [fixedSentence(one), sequentialSentence(one), todaySentence(one), ...costWords(one.cost)];
}

function fixedSentence({ fixed }: ShownForecast): string {
  if (fixed === null) return 'Fixed: more than ten million trials.';
  return `Fixed: ${count(fixed.trials, 'trial')}; the case fails if fewer than ${grouped(fixed.passes)} pass.`;
}

function sequentialSentence({ sequential, smallestDrop = null }: ShownForecast): string {
  if (sequential !== null) {
    const { meanHealthy, meanRegressed, cap } = sequential;
    return `Sequential: about ${rounded(meanHealthy)} trials if it is healthy, ${rounded(meanRegressed)} after the drop, and at most ${cap}.`;
  }
  return smallestDrop === null
    ? 'Sequential: no drop from this rate can be shown by 200 trials; allow larger error rates.'
    : `Sequential: 200 trials cannot show this drop; the smallest drop that they can show is ${percent(smallestDrop)}.`;
}

function todaySentence({ today }: ShownForecast): string {
  const settings = `Today's ${count(today.trials, 'trial')} at a threshold of ${percent(today.passThreshold)}`;
  if (today.smallestDrop === null) return `${settings} can miss any drop.`;
  return `${settings} see drops of ${percent(today.smallestDrop)} or more in nine of ten runs.`;
}

function costWords(cost: ForecastCosts | null): string[] {
  if (cost === null) return [];
  return [
    `Cost: ${amount(cost.mean)} on average, at most ${amount(cost.worst)}; fixed ${amount(cost.fixed)}.`,
  ];
}

function amount({ credits, minutes }: CostOfTrial): string {
  const time = minutes < 0.1 ? 'under 0.1 minutes' : `${rounded(minutes)} minutes`;
  return credits === null ? time : `${grouped(Number(credits.toPrecision(3)))} credits and ${time}`;
}

export function runForecastSentences({
  cases,
  fixed,
  mean,
  worst,
  falseFailOfRun,
  cost,
}: RunForecast): string[] {
  const variants = count(cases, 'case variant');
  const trials =
    fixed === null || mean === null || worst === null
      ? `A run of ${variants} would need more trials than can be counted.`
      : `A run of ${variants}${trialsOfRun({ fixed, mean, worst })}.`;
  return [
    trials,
    `It fails although all are healthy in ${percent(falseFailOfRun)} of runs.`,
    ...(cost === null
      ? ['Its cost is not known: no history shows what a trial of each case takes.']
      : costWords(cost)),
  ];
}

function trialsOfRun(trials: Record<'fixed' | 'mean' | 'worst', number>): string {
  const { fixed, mean, worst } = trials;
  // Where every case needs one trial, all three amounts are the same.
  if (fixed === worst && mean === worst) return `: ${count(worst, 'trial')}`;
  return `, if all are healthy: about ${rounded(mean)} trials and at most ${grouped(worst)}, or ${grouped(fixed)} at a fixed number of trials for each case`;
}

export function forecastTitle(stated: {
  readonly drop: number;
  readonly falseFail: number;
  readonly miss: number;
}): string {
  const { drop, falseFail, miss } = stated;
  return `Trials needed to see a drop of ${percent(drop)}. A healthy case may fail in at most ${percent(falseFail)} of runs, and the drop may be missed in at most ${percent(miss)}.`;
}

function rounded(value: number): string {
  return grouped(value >= 10 ? Math.round(value) : Number(value.toFixed(1)));
}
