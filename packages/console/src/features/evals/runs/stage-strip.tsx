/**
 * The six stages of a trial in order. Their states differ in shape and word, so that colour is not
 * needed to tell them apart.
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
  /** The status of the trial. */
  status: string;
  /** Whether each stage links to its evidence on the same page. */
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

/** The legend of the stage signs; collapsed at first, since it looks like another row of stages. */
export function StageLegend() {
  return (
    <details className="legend">
      <summary>What the signs mean</summary>
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
