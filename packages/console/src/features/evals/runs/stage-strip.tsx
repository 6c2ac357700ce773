/**
 * The six stages of a trial. Each state has its own shape and word, so that no color is needed to
 * distinguish them.
 */
import {
  becauseWords,
  type StageResultRow,
  type StageState,
  stageStates,
  stageWords,
  stateWords,
} from '@proofmark/domain';
import { stateSymbols } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import { stageAnchor } from '../trials/stage-evidence.ts';

export function StageStrip(props: {
  stages: readonly StageResultRow[];
  status: string;
  isLinked?: boolean;
}) {
  const { stages, status, isLinked = false } = props;
  return (
    <ol className="strip" aria-label="Stages">
      {stages.map(({ stage, state, reason, evidence }) => (
        <li
          key={stage}
          data-stage={stage}
          data-state={state}
          title={`${stageWords[stage]}: ${stateWords[state]}${reason === undefined ? '' : `, ${becauseWords(reason, status)}`}`}
        >
          <StageSign state={state} />
          <span className="stage-name">
            {isLinked && evidence !== undefined ? (
              <Link to="." search={true} hash={stageAnchor(stage)}>
                {stageWords[stage]}
              </Link>
            ) : (
              stageWords[stage]
            )}
          </span>
          <span className="unseen">{stateWords[state]}</span>
        </li>
      ))}
    </ol>
  );
}

/** Collapsed initially, because an open legend looks like another row of stages. */
export function StageLegend() {
  return (
    <details className="legend">
      <summary>Legend</summary>
      <ul>
        {stageStates.map((state) => (
          <li key={state}>
            <StageSign state={state} /> {stateWords[state]}
          </li>
        ))}
      </ul>
    </details>
  );
}

export function StageSign({ state }: { state: StageState }) {
  return (
    <span className={`stage stage-${state}`} aria-hidden="true">
      {state === 'notReached' ? '' : stateSymbols[state].symbol}
    </span>
  );
}
