/**
 * The cases of a decision, one row per case and model, failing ones first. Each row shows how many
 * graded trials passed and the interval of that rate.
 */
import {
  type CarriedOutPlan,
  type CaseTitles,
  type DecisionSummary,
  maxConfiguredTrials,
  percent,
  type Sentence,
  verdictWords,
  wilsonInterval,
} from '@proofmark/domain';
import { caseNamer, planOfCase } from '@proofmark/report';
import { type ReactNode, useState } from 'react';
import { PagePart } from '../../../kit/page-part.tsx';
import { usePager } from '../../../kit/pager.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { type RunIds, useRunStatistics } from '../data/eval-runs.ts';
import { PlanOfCase } from './plan-walk.tsx';
import { RateBar } from './rate-bar.tsx';
import { verdictTone } from './run-tone.ts';
import { statisticsOf, VariantSureness } from './variant-sureness.tsx';
import { keepPercent, Words } from './words.tsx';

type Decided = Extract<DecisionSummary, { verdictSource: 'policyV2' }>;
type Row = Decided['decision']['cases'][number];

const shownRows = 20;
const order = ['failed', 'inconclusive', 'passed'];

export function CaseTable(props: {
  ids: RunIds;
  summary: Decided;
  titles: CaseTitles | undefined;
}) {
  const { cases } = props.summary.decision;
  const nameOf = caseNamer(cases, props.titles);
  const [isAsked, setAsked] = useState(false);
  const [k, setK] = useState<number>();
  const statistics = useRunStatistics(props.ids, k, isAsked);
  const runStatistics = statistics.data;
  const rows = [...cases].sort(
    (one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict),
  );
  const { shown, buttons } = usePager(rows, { size: shownRows, what: 'case variants' });
  return (
    <PagePart id="cases" title="Case variants">
      {isAsked ? (
        <div className="sureness-question">
          <label>
            {'Chance that this many trials all pass: '}
            <input
              type="number"
              min={1}
              max={maxConfiguredTrials}
              value={k ?? ''}
              onChange={({ target }) => setK(askedNumber(target.value))}
            />
          </label>
          <QueryView query={statistics}>{() => null}</QueryView>
        </div>
      ) : (
        <p>
          <button type="button" onClick={() => setAsked(true)}>
            How sure is this?
          </button>
        </p>
      )}
      <table className="case-table">
        <thead>
          <tr>
            <th scope="col">Case variant</th>
            <th scope="col">Verdict</th>
            <th scope="col">Graded trials passed</th>
            <th scope="col">Must pass</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <CaseRow
              key={`${row.caseId} ${JSON.stringify(row.executionVariant)}`}
              row={row}
              name={nameOf(row.caseId)}
              plan={planOfCase(row, props.summary.plans)}
              sureness={
                runStatistics && (
                  <VariantSureness
                    statistics={runStatistics}
                    row={statisticsOf(runStatistics, row)}
                  />
                )
              }
            />
          ))}
        </tbody>
      </table>
      {buttons}
    </PagePart>
  );
}

/** Undefined while the text is no valid number. */
function askedNumber(text: string): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= maxConfiguredTrials
    ? number
    : undefined;
}

function CaseRow(props: {
  row: Row;
  name: Sentence;
  plan: CarriedOutPlan | undefined;
  sureness: ReactNode;
}) {
  const { row, name, plan, sureness } = props;
  // In a trial plan, the results decide the number of trials. The Wilson interval assumes a fixed
  // number, so it is omitted.
  const interval = plan ? null : wilsonInterval(row.passedTrials, row.eligibleTrials);
  return (
    <tr data-verdict={row.verdict}>
      <th scope="row">
        <Words sentence={name} />
        {row.executionVariant?.model !== undefined && (
          <span className="hint case-model">{row.executionVariant.model}</span>
        )}
        {plan && <PlanOfCase plan={plan} />}
        {sureness}
      </th>
      <td data-label="Verdict">
        <b className={`tone-${verdictTone(row.verdict)}`}>{verdictWords[row.verdict]}</b>
      </td>
      <td data-label="Graded trials passed" className="figures">
        {row.passRate.value === null ? (
          'no trial was graded'
        ) : (
          <span className="rate">
            <RateBar rate={row.passRate.value} interval={interval ?? undefined} />
            <span>
              {`${row.passedTrials} of ${row.eligibleTrials}`}
              {row.eligibleTrials > 1 && (
                <span className="hint">
                  {keepPercent(
                    ` · ${percent(row.passRate.value)}${
                      interval === null
                        ? ''
                        : `, 95 % interval ${percent(interval.lower)} to ${percent(interval.upper)}`
                    }`,
                  )}
                </span>
              )}
            </span>
          </span>
        )}
      </td>
      <td data-label="Must pass" className="figures">
        {keepPercent(percent(row.effectivePassThreshold))}
      </td>
    </tr>
  );
}
