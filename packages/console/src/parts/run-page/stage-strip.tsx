/** The six stages of a trial in chain order. States are told apart by shape and by word, not by colour alone. */
import {
  reasonWords,
  type StageResultRow,
  type StageState,
  stageStates,
  stageWords,
  stateSymbols,
  stateWords,
} from '@proofmark/domain';

export function StageStrip({ stages }: { stages: readonly StageResultRow[] }) {
  return (
    <ol className="strip" aria-label="Stages">
      {stages.map(({ stage, state, reason }) => (
        <li
          key={stage}
          data-stage={stage}
          data-state={state}
          title={`${stageWords[stage]}: ${stateWords[state]}${reason === undefined ? '' : `, ${reasonWords[reason]}`}`}
        >
          <StageSign state={state} />
          <span className="stage-name">{stageWords[stage]}</span>
          <span className="unseen">{stateWords[state]}</span>
        </li>
      ))}
    </ol>
  );
}

export function StageLegend() {
  return (
    <ul className="legend" aria-label="What the signs mean">
      {stageStates.map((state) => (
        <li key={state}>
          <StageSign state={state} /> {stateWords[state]}
        </li>
      ))}
    </ul>
  );
}

function StageSign({ state }: { state: StageState }) {
  return (
    <span className={`stage stage-${state}`} aria-hidden="true">
      {state === 'notReached' ? '' : stateSymbols[state].symbol}
    </span>
  );
}
