/** Checks with their results, each as a sign and a word. */
import type { TrialCheck } from '@proofmark/report';
import { Fragment } from 'react';
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
        {props.checks.map(({ name, outcome, said, votes = [] }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: checks are known by their index.
            key={index}
            data-outcome={outcome}
            className={isEvidentCheck(props.evidence, said) ? 'evidence' : undefined}
          >
            <span className={`check-sign tone-${outcomes[outcome].tone}`} aria-hidden="true">
              {outcomes[outcome].sign}
            </span>
            <div>
              <code>
                <Name of={name} />
              </code>{' '}
              <b className={`tone-${outcomes[outcome].tone}`}>{outcome}</b>
              {said !== undefined && <p className="foreign-text">{said}</p>}
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

/**
 * A name such as "assertion/criterion", for a criterion of a judge. The line may break after the
 * slash.
 */
function Name({ of: name }: { of: string }) {
  return name.split('/').map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move.
    <Fragment key={index}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
}

const outcomes: Readonly<Record<TrialCheck['outcome'], { sign: string; tone: string }>> = {
  held: { sign: '✓', tone: 'pass' },
  'did not hold': { sign: '✗', tone: 'fail' },
  'advises only': { sign: '!', tone: 'hold' },
  broke: { sign: '–', tone: 'none' },
  'not asked': { sign: '·', tone: 'none' },
};
