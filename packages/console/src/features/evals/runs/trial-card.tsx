/**
 * One failed trial, or several that failed for the same cause: stages, reason, expected and
 * observed calls, the next action, and links to the traces.
 */
import type { EvalRun } from '@proofmark/contract';
import { cleanText, type DecisionDiagnostic } from '@proofmark/domain';
import { shownStatusOf, type TrialGroup } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import type { EvalTrial, RunIds } from '../data/eval-runs.ts';
import { EditCaseLink } from './edit-case.tsx';
import type { TrialSearch } from './run-search.ts';
import { StageStrip } from './stage-strip.tsx';
import { facetsOf, TrialExplanation } from './trial-explanation.tsx';
import { Words } from './words.tsx';

export function TrialCard(props: {
  ids: RunIds;
  run: EvalRun;
  group: TrialGroup;
  /** The first trial of the group, loaded with the arguments of its calls. */
  trial: EvalTrial | undefined;
  /** The filter of the list. The page of a trial needs it to link to the next trial. */
  search: TrialSearch;
}) {
  const { ids, group, trial, search } = props;
  const { members, outline, isAcrossCases } = group;
  const [first, ...others] = members;
  const { iterationId, chain, result } = first;
  return (
    <article
      id={iterationId}
      className="trial"
      tabIndex={-1}
      data-trial={iterationId}
      data-result={result ?? 'none'}
    >
      <div className="trial-head">
        <h3>
          <Words sentence={outline.heading} />
        </h3>
        {trial !== undefined && others.length === 0 && (
          <span className="hint">{facetsOf(trial).join(' · ')}</span>
        )}
        <Link
          className="trace-link"
          to="/projects/$projectId/runs/$runId/trials/$trialId"
          params={{ ...ids, trialId: iterationId }}
          search={search}
        >
          {openWords(trial?.hasTrace === false ? 'trial' : 'trace', others.length > 0)}
        </Link>
        {!isAcrossCases && <EditCaseLink trial={trial} run={props.run} className="case-link" />}
      </div>
      {chain.status === 'verified' && outline.strip.length > 0 && (
        <StageStrip stages={chain.stages} status={shownStatusOf(first)} />
      )}
      {/* Only for a trial that continued live after the divergence. Any other trial ended there, and its reason below says so. */}
      {trial?.continuedLive && trial.divergence !== undefined && (
        <p className="why">
          {'The replay diverged and continued live from there. '}
          <bdi>{cleanText(trial.divergence.message, false)}</bdi>
        </p>
      )}
      <TrialExplanation
        ids={ids}
        diagnostic={first}
        facts={outline.facts}
        trial={isAcrossCases ? undefined : trial}
      />
      {others.length > 0 && <Others ids={ids} group={group} search={search} trials={others} />}
    </article>
  );
}

const shownOthers = 30;

function Others(props: {
  ids: RunIds;
  trials: readonly DecisionDiagnostic[];
  group: TrialGroup;
  search: TrialSearch;
}) {
  const { ids, trials, group, search } = props;
  const unlisted = trials.length - shownOthers;
  return (
    <p className="other-trials hint">
      {'The same in: '}
      {trials.slice(0, shownOthers).map((trial, index) => (
        <span key={trial.iterationId} id={trial.iterationId}>
          {index > 0 && ', '}
          <Link
            to="/projects/$projectId/runs/$runId/trials/$trialId"
            params={{ ...ids, trialId: trial.iterationId }}
            search={search}
          >
            {/* If the group's trials belong to several cases, the title is added, because the number alone does not identify the trial. */}
            {group.isAcrossCases && trial.title !== undefined && (
              <>
                <bdi>{trial.title}</bdi>
                <Words sentence={group.modelOf(trial)} />
                {', '}
              </>
            )}
            {`trial ${trial.iterationNumber}`}
          </Link>
        </span>
      ))}
      {unlisted > 0 && ` and ${unlisted} more, each in the list of all trials`}.
    </p>
  );
}

function openWords(what: 'trial' | 'trace', isFirstOfMany: boolean): string {
  return isFirstOfMany ? `Open the first ${what}` : `Open ${what}`;
}
