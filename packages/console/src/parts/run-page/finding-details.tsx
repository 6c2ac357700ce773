/** One finding: what was counted in its first line; inside, who says what of it, and the trials that show it. */
import type { EvalRun } from '@proofmark/contract';
import { Link } from '@tanstack/react-router';
import type { RunIds } from '../../data/eval-runs.ts';
import { actionWords, evidenceWords, surfaceWords } from '../../evals/insight-words.ts';

type Finding = NonNullable<EvalRun['insights']>['findings'][number];

export function FindingDetails(props: { ids: RunIds; finding: Finding }) {
  const { ids, finding } = props;
  const { affected, target } = finding;
  return (
    <details className="finding" id={finding.id}>
      <summary>
        <b>
          <bdi>{finding.title}</bdi>
        </b>
        <span className="hint figures">
          {`${affected.count} of ${affected.total} · severity ${finding.severity}`}
        </span>
      </summary>
      <p>{finding.observed}</p>
      <dl>
        {finding.rootCause !== undefined && (
          <>
            <dt>Cause</dt>
            <dd className="foreign-text">{finding.rootCause}</dd>
          </>
        )}
        <dt>What to do</dt>
        <dd className="foreign-text">{finding.recommendation}</dd>
        {finding.acceptanceCriteria.length > 0 && (
          <>
            <dt>Done when</dt>
            <dd className="foreign-text">
              {finding.acceptanceCriteria.map((criterion) => (
                <div key={criterion}>{criterion}</div>
              ))}
            </dd>
          </>
        )}
        <dt>About</dt>
        <dd>
          {actionWords[finding.actionTarget]}
          {target?.toolName !== undefined && (
            <>
              {`: ${surfaceWords[target.surface]} of `}
              <code>{target.toolName}</code>
            </>
          )}
          {'.'}
        </dd>
        <dt>Says</dt>
        <dd>{`${finding.narratedBy}, with ${finding.narratorConfidence} confidence; the counts carry ${finding.confidence} confidence.`}</dd>
      </dl>
      {finding.evidence.length > 0 && <Evidence ids={ids} evidence={finding.evidence} />}
    </details>
  );
}

function Evidence(props: { ids: RunIds; evidence: Finding['evidence'] }) {
  return (
    <ol className="finding-evidence" aria-label="Evidence">
      {props.evidence.map(({ kind, excerpt, iterationId, errorCode }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes.
        <li key={index}>
          {iterationId === undefined ? (
            evidenceWords[kind]
          ) : (
            <Link
              to="/projects/$projectId/runs/$runId/trials/$trialId"
              params={{ ...props.ids, trialId: iterationId }}
            >
              {evidenceWords[kind]}
            </Link>
          )}
          {errorCode !== undefined && <span className="hint">{` code ${errorCode}`}</span>}
          {excerpt !== '' && <p className="foreign-text excerpt">{excerpt}</p>}
        </li>
      ))}
    </ol>
  );
}
