/** How the cases of two runs differ in prompts and grading, and the results of every check. */
import { cleanText, count, percent } from '@proofmark/domain';
import { checkName } from '@proofmark/report';
import type { RunComparison, RunDifferences } from '../data/run-comparison.ts';
import { PartList } from './surface-changes.tsx';

export function ContentChanges(props: { compared: RunComparison; differences: RunDifferences }) {
  const { compared, differences } = props;
  const { cases, judge } = differences;
  const { scorers, evaluationConfigChanged } = compared.scoreContract;
  const isSame = cases.total === 0 && judge.length === 0 && !evaluationConfigChanged;
  return (
    <section aria-labelledby="content">
      <h2 id="content">Cases and checks</h2>
      {!cases.isKnown && (
        <p>What the cases of a reported run say is not known; only its checks are compared.</p>
      )}
      {cases.isKnown && isSame && <p>No case that both runs have was changed.</p>}
      {evaluationConfigChanged && (
        <p>The two runs are graded differently, so their pass rates measure different things.</p>
      )}
      {cases.items.map(({ caseKey, title, asked, graded }) => (
        <div key={caseKey} className="changed-content">
          <h3>
            <bdi>{cleanText(title, false)}</bdi>
          </h3>
          {asked.length > 0 && <PartList label={`Content of ${title}`} parts={asked} />}
          {graded.length > 0 && <PartList label={`Grading of ${title}`} parts={graded} />}
        </div>
      ))}
      {cases.total > cases.items.length && (
        <p className="hint">{`${count(cases.total, 'case')} differ; the first ${cases.items.length} are shown.`}</p>
      )}
      {judge.length > 0 && (
        <div className="changed-content">
          <h3>Judge</h3>
          <PartList label="Changes of the judge" parts={judge} />
        </div>
      )}
      {scorers.length > 0 && <ScorerTable compared={compared} />}
    </section>
  );
}

function ScorerTable({ compared }: { compared: RunComparison }) {
  const { baseRun, compareRun, scoreContract } = compared;
  const cell = (rate: number | null, mean: number | null, errors: number) =>
    [
      rate === null ? 'nothing scored' : `${percent(rate)} of scored trials`,
      ...(mean === null ? [] : [`mean ${Number(mean.toFixed(3))}`]),
      ...(errors > 0 ? [count(errors, 'error')] : []),
    ].join(', ');
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Check</th>
          <th scope="col">{`Passed in run ${baseRun.runNumber}`}</th>
          <th scope="col">{`Passed in run ${compareRun.runNumber}`}</th>
          <th scope="col">Definition</th>
        </tr>
      </thead>
      <tbody>
        {scoreContract.scorers.map(
          ({ scorerId, gating, passRate, meanValue, errorCount, ...one }) => (
            <tr key={scorerId}>
              <th scope="row">
                <bdi>{cleanText(checkName(scorerId), false)}</bdi>{' '}
                <span className="hint">{gating ? 'decides' : 'advises only'}</span>
              </th>
              <td data-label={`Passed in run ${baseRun.runNumber}`} className="figures">
                {cell(passRate.base, meanValue.base, errorCount.base)}
              </td>
              <td data-label={`Passed in run ${compareRun.runNumber}`} className="figures">
                {cell(passRate.compare, meanValue.compare, errorCount.compare)}
              </td>
              <td data-label="Definition">{one.definitionChanged ? 'changed' : 'the same'}</td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
}
