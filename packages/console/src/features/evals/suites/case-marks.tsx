/**
 * Results of a case in the last runs, oldest first. Each result has its own shape and word. A flaky
 * case is labelled.
 */
import type { EvalCase, EvalSuiteHistory } from '@proofmark/contract';
import type { CaseMark } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { markSentence, markWords } from './history-words.ts';

const signs: Readonly<Record<CaseMark, string>> = {
  passed: '✓',
  failed: '✗',
  mixed: '±',
  notMeasured: '–',
};

export function CaseMarks(props: {
  projectId: string;
  history: EvalSuiteHistory;
  of: Pick<EvalCase, 'id' | 'updatedAt'>;
}) {
  const { projectId, history, of } = props;
  const one = history.cases.find((known) => known.caseId === of.id);
  const last = one?.marks.at(-1);
  if (one === undefined || last === undefined) {
    return <p className="hint">{history.runs.length > 0 ? 'Not played in the last runs.' : ''}</p>;
  }
  const numbers = new Map(history.runs.map(({ runId, runNumber }) => [runId, runNumber]));
  return (
    <p className="case-marks">
      <span className="marks">
        {one.marks.map((mark) => {
          const sentence = markSentence(mark, numbers.get(mark.runId));
          return (
            <Link
              key={mark.runId}
              to="/projects/$projectId/runs/$runId"
              params={{ projectId, runId: mark.runId }}
              className={`case-mark mark-${mark.mark}`}
              title={sentence}
              aria-label={sentence}
            >
              {signs[mark.mark]}
            </Link>
          );
        })}
      </span>{' '}
      <span className="hint">
        {`Last ${markWords[last.mark]}`}
        {of.updatedAt > lastRun(history, last.runId) && ', before it was edited'}
        {one.marks.length > 1 && `; ${one.marks.length} runs, oldest first`}
      </span>
      {one.isFlaky && (
        <span
          className="tag flaky"
          title="With the same tools, some of its trials passed and some failed."
        >
          flaky: came out both ways with the same tools
        </span>
      )}
    </p>
  );
}

function lastRun({ runs }: EvalSuiteHistory, id: string): number {
  return runs.find(({ runId }) => runId === id)?.createdAt ?? 0;
}
