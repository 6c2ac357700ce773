import { count, type DecisionSummary, grouped, percent, wilsonInterval } from '@proofmark/domain';
import { hasCancelled } from '@proofmark/report';
import { keepPercent } from './words.tsx';

interface Cell {
  readonly name: string;
  readonly value: string;
  readonly about: string;
}

export function RunNumbers({ summary }: { summary: DecisionSummary }) {
  const cells = cellsOf(summary);
  if (cells.length === 0) return null;
  return (
    <dl className="numbers">
      {cells.map(({ name, value, about }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            <small>{keepPercent(about)}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function cellsOf(summary: DecisionSummary): Cell[] {
  switch (summary.verdictSource) {
    case 'policyV2': {
      const { counts, decision, plans } = summary;
      const { validity } = decision;
      const { eligibleTrials } = validity;
      const passedTrials = decision.cases.reduce((sum, row) => sum + row.passedTrials, 0);
      const interval = wilsonInterval(passedTrials, eligibleTrials);
      // Cancelled trials may have started but are not part of this number, so the label says
      // "counted as attempted".
      const attempted = hasCancelled(validity) ? 'counted as attempted' : 'attempted';
      const errors = validity.evaluatorErrorRate.numerator;
      return [
        {
          name: 'Case variants passed',
          value: `${grouped(counts.passed)} of ${grouped(counts.total)}`,
          about: thresholds(decision.cases.map((row) => row.effectivePassThreshold)),
        },
        {
          name: 'Graded trials passed',
          value: `${grouped(passedTrials)} of ${grouped(eligibleTrials)}`,
          about:
            interval === null
              ? 'no trial was graded'
              : shareWords(passedTrials / eligibleTrials, plans === null ? interval : undefined),
        },
        {
          name: 'Trials graded',
          value: `${grouped(eligibleTrials)} of ${grouped(validity.configuredTrials)}`,
          about: `${grouped(validity.attemptedTrials)} ${attempted}, ${count(errors, 'grader error')}`,
        },
      ];
    }
    case 'legacy': {
      const { passed, failed, total } = summary.counts ?? {};
      const of = (amount: number | undefined) =>
        amount === undefined
          ? 'not recorded'
          : `${grouped(amount)}${total === undefined ? '' : ` of ${grouped(total)}`}`;
      return [
        { name: 'Trials passed', value: of(passed), about: 'as they were recorded' },
        { name: 'Trials failed', value: of(failed), about: 'as they were recorded' },
        { name: 'Passing score', value: 'one percentage', about: 'over all trials' },
      ];
    }
    case 'none':
      return [];
  }
}

function thresholds(all: readonly number[]): string {
  const lowest = Math.min(...all);
  const highest = Math.max(...all);
  if (all.length === 0) return '';
  if (lowest === 1) return 'each with all of its graded trials';
  return lowest === highest
    ? `each at ${percent(lowest)} or better of its trials`
    : `each at its own threshold, ${percent(lowest)} to ${percent(highest)} of its trials`;
}

/**
 * `interval` is omitted for a trial plan. The results decide the plan's number of trials, so the
 * interval would be wrong.
 */
function shareWords(share: number, interval?: { readonly lower: number; readonly upper: number }) {
  if (interval === undefined) return percent(share);
  const range = `${percent(interval.lower)} to ${percent(interval.upper)}`;
  return `${percent(share)}, 95 % interval ${range}`;
}
