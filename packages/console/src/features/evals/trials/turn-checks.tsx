import { cleanText } from '@proofmark/domain';
import type { TrialCheck } from '@proofmark/report';
import { isEvidentCheck, type ShownEvidence } from './stage-evidence.ts';

export function TurnChecks(props: {
  title: string;
  checks: readonly TrialCheck[];
  evidence: ShownEvidence | undefined;
}) {
  return (
    <aside className="turn-checks" aria-label={props.title}>
      <h4>{props.title}</h4>
      <ul>
        {props.checks.map(({ name, outcome, explanation, votes = [] }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: checks are known by their index.
            key={index}
            data-outcome={outcome}
            className={isEvidentCheck(props.evidence, explanation) ? 'evidence' : undefined}
          >
            <span className={`check-sign tone-${outcomes[outcome].tone}`} aria-hidden="true">
              {outcomes[outcome].sign}
            </span>
            <div>
              <span>{cleanText(name, false)}</span>{' '}
              <b className={`tone-${outcomes[outcome].tone}`}>{outcome}</b>
              {explanation !== undefined && <p className="foreign-text">{explanation}</p>}
              {votes.length > 0 && (
                <ul className="in-cell">
                  {votes.map((vote) => (
                    <li key={vote}>{vote}</li>
                  ))}
                </ul>
              )}
            </div>
          </li>
        ))}
      </ul>
    </aside>
  );
}

const outcomes: Readonly<Record<TrialCheck['outcome'], { sign: string; tone: string }>> = {
  held: { sign: '✓', tone: 'pass' },
  'did not hold': { sign: '✗', tone: 'fail' },
  'advises only': { sign: '!', tone: 'hold' },
  broke: { sign: '–', tone: 'none' },
  'not asked': { sign: '·', tone: 'none' },
};
