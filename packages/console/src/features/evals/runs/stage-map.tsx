/**
 * A table with a row for each case and model and a column for each of the six stages. A cell links
 * to the trials that first failed at its stage.
 */
import type { EvalRunStages } from '@proofmark/contract';
import {
  cleanText,
  count,
  grouped,
  rowsShownFirst,
  type SummaryVerdict,
  stages,
  stageWords,
  stateWords,
} from '@proofmark/domain';
import { restOfStageMap, stageMapHeading } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePager } from '../../../kit/pager.tsx';
import type { RunIds } from '../data/eval-runs.ts';
import type { RunSearch } from './run-search.ts';
import { caseNameOf, searchOfCase } from './stage-map-links.ts';
import { StageLegend, StageSign } from './stage-strip.tsx';

type Row = EvalRunStages['cases'][number];
type Cell = Row['stages'][number];

export function StageMap(props: {
  ids: RunIds;
  runStages: EvalRunStages;
  search: RunSearch;
  /** Absent while the run is in progress. */
  verdict: SummaryVerdict | undefined;
}) {
  const { ids, runStages, search } = props;
  const [isAll, setIsAll] = useState(false);
  const paged = usePager(runStages.cases, { size: shownRows, what: 'case variants by stage' });
  if (runStages.cases.length === 0) return null;
  const shownFirst = rowsShownFirst(runStages.outcomes);
  const shown = isAll ? paged.shown : runStages.cases.slice(0, shownFirst);
  const rest = restOfStageMap(runStages.outcomes);
  const hasModels = new Set(runStages.cases.map(({ model }) => model)).size > 1;
  return (
    <section aria-labelledby="stage-map" className="where">
      <h2 id="stage-map">
        {stageMapHeading(props.verdict, runStages.outcomes)}{' '}
        <span className="hint">case variants by stage</span>
      </h2>
      <table className="stage-map">
        <thead>
          <tr>
            <th scope="col">Case variant</th>
            {stages.map((stage) => (
              <th key={stage} scope="col">
                {breaksAt(runStages, stage) ? (
                  <Link
                    to="/projects/$projectId/runs/$runId"
                    params={ids}
                    search={{ stage }}
                    resetScroll={false}
                  >
                    {stageWords[stage]}
                  </Link>
                ) : (
                  stageWords[stage]
                )}
              </th>
            ))}
            <th scope="col">Trials passed</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their order, and two may be alike.
            <MapRow key={index} ids={ids} row={row} search={search} hasModels={hasModels} />
          ))}
        </tbody>
      </table>
      {isAll && paged.buttons}
      <div className="under-map">
        {!isAll && rest !== undefined && <p className="hint">{rest}</p>}
        {runStages.cases.length > shownFirst && (
          <button
            type="button"
            className="small"
            aria-expanded={isAll}
            onClick={() => setIsAll(!isAll)}
          >
            {isAll ? 'Show fewer' : `Show ${runStages.cases.length} case variants`}
          </button>
        )}
        {isAll && runStages.total > runStages.cases.length && (
          <p className="hint">{`The first ${runStages.cases.length} of ${count(runStages.total, 'case variant')}.`}</p>
        )}
        <StageLegend />
      </div>
    </section>
  );
}

const shownRows = 10;

function breaksAt({ cases }: EvalRunStages, wanted: Cell['stage']): boolean {
  return cases.some((row) =>
    row.stages.some(({ stage, failedTrials }) => stage === wanted && failedTrials > 0),
  );
}

function MapRow(props: { ids: RunIds; row: Row; search: RunSearch; hasModels: boolean }) {
  const { ids, row, search, hasModels } = props;
  const ofCase = searchOfCase(row, hasModels);
  const isCurrent = search.case !== undefined && search.case === ofCase.case;
  return (
    <tr aria-current={isCurrent ? 'true' : undefined}>
      <th scope="row">
        <Link
          to="/projects/$projectId/runs/$runId"
          params={ids}
          search={{ ...ofCase, result: 'all' }}
          hash="trials"
          resetScroll={false}
        >
          <bdi>{caseNameOf(row)}</bdi>
        </Link>
        {hasModels && row.model !== null && (
          <span className="hint map-model">{cleanText(row.model, false)}</span>
        )}
      </th>
      {row.stages.map((cell) => (
        <td key={cell.stage} data-stage={cell.stage} data-state={cell.state}>
          <CellSign ids={ids} row={row} cell={cell} hasModels={hasModels} search={search} />
          <span className="cell-name">{stageWords[cell.stage]}</span>
        </td>
      ))}
      <td className="figures map-trials">
        {`${grouped(row.passed)} of ${grouped(row.trials)}`}
        {row.notGraded > 0 && (
          <span className="hint">{`, ${grouped(row.notGraded)} not graded`}</span>
        )}
      </td>
    </tr>
  );
}

function CellSign(props: {
  ids: RunIds;
  row: Row;
  cell: Cell;
  hasModels: boolean;
  search: RunSearch;
}) {
  const { ids, row, cell, search } = props;
  const { stage, state, failedTrials } = cell;
  if (failedTrials === 0) {
    return (
      <span title={`${stageWords[stage]}: ${stateWords[state]}`}>
        <StageSign state={state} />
        <span className="unseen">{stateWords[state]}</span>
      </span>
    );
  }
  const ofCase = searchOfCase(row, props.hasModels);
  const isCurrent = search.stage === stage && search.case === ofCase.case;
  return (
    <Link
      className="cell-link"
      to="/projects/$projectId/runs/$runId"
      params={ids}
      search={isCurrent ? {} : { ...ofCase, stage }}
      resetScroll={false}
      aria-current={isCurrent ? 'true' : undefined}
      aria-label={`${count(failedTrials, 'trial')} of ${caseNameOf(row)} first failed at ${stageWords[stage]}`}
    >
      <StageSign state="failed" /> <span className="figures">{grouped(failedTrials)}</span>
    </Link>
  );
}
