/** The case variants of a decision: how many of their graded trials passed, with the interval, failing first. */
import {
  type CaseTitles,
  caseNamer,
  type DecisionSummary,
  percent,
  type Sentence,
  verdictWords,
  wilsonInterval,
} from '@proofmark/domain';
import { useState } from 'react';
import { verdictTone } from '../../evals/run-tone.ts';
import { RateBar } from './rate-bar.tsx';
import { keepPercent, Words } from './words.tsx';

type Decided = Extract<DecisionSummary, { verdictSource: 'policyV2' }>;
type Row = Decided['decision']['cases'][number];

const shownRows = 20;
const order = ['failed', 'inconclusive', 'passed'];

export function CaseTable(props: { summary: Decided; titles: CaseTitles | undefined }) {
  const { cases } = props.summary.decision;
  const nameOf = caseNamer(cases, props.titles);
  const [all, setAll] = useState(false);
  const rows = [...cases].sort(
    (one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict),
  );
  const shown = all ? rows : rows.slice(0, shownRows);
  return (
    <section aria-labelledby="cases">
      <h2 id="cases">Case variants</h2>
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
            />
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <p className="after-table">
          <button type="button" onClick={() => setAll(true)}>
            {`Show all ${rows.length} case variants`}
          </button>
        </p>
      )}
    </section>
  );
}

function CaseRow({ row, name }: { row: Row; name: Sentence }) {
  const interval = wilsonInterval(row.passedTrials, row.eligibleTrials);
  return (
    <tr data-verdict={row.verdict}>
      <th scope="row">
        <Words sentence={name} />
        {row.executionVariant?.model !== undefined && (
          <span className="hint case-model">{row.executionVariant.model}</span>
        )}
      </th>
      <td data-label="Verdict">
        <b className={`tone-${verdictTone(row.verdict)}`}>{verdictWords[row.verdict]}</b>
      </td>
      <td data-label="Graded trials passed" className="figures">
        {interval === null || row.passRate.value === null ? (
          'no trial was graded'
        ) : (
          <span className="rate">
            <RateBar rate={row.passRate.value} {...interval} />
            <span>
              {`${row.passedTrials} of ${row.eligibleTrials}`}
              <span className="hint">
                {keepPercent(
                  ` · ${percent(row.passRate.value)}, 95 % interval ${percent(interval.lower)} to ${percent(interval.upper)}`,
                )}
              </span>
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
