import { cleanText, count } from '@proofmark/domain';
import { comparedCaseSentence } from '@proofmark/report';
import { useId, useState } from 'react';
import type { RunComparison } from '../data/run-comparison.ts';
import { BothRuns } from './both-runs.tsx';
import { groupCases, movementTitles } from './compare-words.ts';

type ComparedCase = RunComparison['cases'][number];

const shownAtOnce = 50;

export function MovedCases(props: {
  projectId: string;
  compared: RunComparison;
  openKey: string | undefined;
  onOpen: (caseKey: string | undefined) => void;
}) {
  const { compared } = props;
  return groupCases(compared.cases).map(({ movement, cases }) => {
    const list = <CaseGroup {...props} cases={cases} />;
    const title = `${movementTitles[movement]}: ${count(cases.length, 'case')}`;
    if (movement !== 'same') {
      return (
        <section key={movement} aria-labelledby={`moved-${movement}`}>
          <h2 id={`moved-${movement}`} className={`moved-${movement}`}>
            {title}
          </h2>
          {list}
        </section>
      );
    }
    const isNamed = cases.some(({ caseKey }) => caseKey === props.openKey);
    return (
      <details key={movement} className="as-before" open={isNamed || undefined}>
        <summary>
          <h2>{title}</h2>
        </summary>
        {list}
      </details>
    );
  });
}

function CaseGroup(props: Parameters<typeof MovedCases>[0] & { cases: readonly ComparedCase[] }) {
  const { cases, openKey } = props;
  const [most, setMost] = useState(shownAtOnce);
  const shown = cases.filter(({ caseKey }, index) => index < most || caseKey === openKey);
  return (
    <>
      <ul className="moved-cases">
        {shown.map((row) => (
          <MovedCase key={row.caseKey} {...props} row={row} isOpen={row.caseKey === openKey} />
        ))}
      </ul>
      {cases.length > shown.length && (
        <button type="button" className="small" onClick={() => setMost(most + shownAtOnce)}>
          Show more ({cases.length - shown.length} not shown)
        </button>
      )}
    </>
  );
}

function MovedCase(
  props: Parameters<typeof MovedCases>[0] & { row: ComparedCase; isOpen: boolean },
) {
  const { projectId, compared, row, isOpen } = props;
  const bodyId = useId();
  const notes = [
    ...(row.configChanged ? ['asks for something else than before'] : []),
    ...(row.evaluationConfigChanged ? ['is graded otherwise than before'] : []),
  ];
  return (
    <li>
      <h3>
        <button
          type="button"
          className="unfold"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => props.onOpen(isOpen ? undefined : row.caseKey)}
        >
          <span aria-hidden="true" className="unfold-sign">
            {isOpen ? '▾' : '▸'}
          </span>
          <bdi>{cleanText(row.title, false)}</bdi>
        </button>
      </h3>
      <p>
        {comparedCaseSentence(row, compared.correction.cases)}.
        {notes.length > 0 && <span className="hint">{` It ${notes.join(' and ')}.`}</span>}
      </p>
      <div id={bodyId} hidden={!isOpen}>
        {isOpen && (
          <BothRuns
            projectId={projectId}
            compared={compared}
            base={row.base}
            compare={row.compare}
          />
        )}
      </div>
    </li>
  );
}
