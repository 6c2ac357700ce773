import type { EvalRun } from '@proofmark/contract';
import type { ReactNode } from 'react';
import { actionWords, evidenceWords, surfaceWords } from './insight-words.ts';

type Finding = NonNullable<EvalRun['insights']>['findings'][number];

export type FindingEvidence = Finding['evidence'][number];

interface EvidenceProps {
  readonly unit: string;
  readonly evidenceLink: (evidence: FindingEvidence, words: string) => ReactNode;
}

export function FindingDetails(props: EvidenceProps & { finding: Finding }) {
  const { finding } = props;
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
        <dt>Remedy</dt>
        <dd className="foreign-text">{finding.recommendation}</dd>
        {finding.acceptanceCriteria.length > 0 && (
          <>
            <dt>Acceptance</dt>
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
        <dt>Narrator</dt>
        <dd>{`${finding.narratedBy}, with ${finding.narratorConfidence} confidence; the counts carry ${finding.confidence} confidence.`}</dd>
      </dl>
      {finding.evidence.length > 0 && <Evidence {...props} />}
    </details>
  );
}

function Evidence({ finding, unit, evidenceLink }: EvidenceProps & { finding: Finding }) {
  return (
    <ol className="finding-evidence" aria-label="Evidence">
      {finding.evidence.map((evidence, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes.
        <li key={index}>
          {evidenceLink(evidence, evidenceWords(evidence.kind, unit))}
          {evidence.errorCode !== undefined && (
            <span className="hint">{` code ${evidence.errorCode}`}</span>
          )}
          {evidence.excerpt !== '' && <p className="foreign-text excerpt">{evidence.excerpt}</p>}
        </li>
      ))}
    </ol>
  );
}
