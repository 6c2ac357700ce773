/**
 * Results of judges: votes of judges in assertions, and grades of judges that only advise. Grades
 * are never shown in red.
 */
import type { EvalRun } from '@proofmark/contract';
import { percent } from '@proofmark/domain';
import { voteSentence } from '@proofmark/report';
import { PagePart } from '../../../kit/page-part.tsx';
import { usePager } from '../../../kit/pager.tsx';
import type { EvalTrial } from '../data/eval-runs.ts';
import { keepPercent, Words } from './words.tsx';

type Judges = NonNullable<EvalRun['judges']>;
type Judge = Judges['goalCompletion'] | Judges['groundedness'];

/**
 * Votes of judges in assertions affect the verdict. How often the votes agree shows how reliable
 * the judge is.
 */
export function JudgeVotesBlock({ votes }: { votes: NonNullable<Judges['assertions']> }) {
  return (
    <PagePart id="judge-votes" title="Judges in checks">
      <p className="intro">
        <Words sentence={voteSentence(votes)} /> The trials show the reason of each vote.
      </p>
    </PagePart>
  );
}

const judgeTexts = {
  goalCompletion: {
    id: 'judge',
    heading: 'Judge: goal completion',
    column: 'Goal',
    line: 'Passing score:',
    passed: 'reached',
    failed: 'not reached',
  },
  groundedness: {
    id: 'groundedness',
    heading: 'Judge: groundedness',
    column: 'Grounded',
    line: 'Passing score:',
    passed: 'yes',
    failed: 'no',
  },
} as const;

export function JudgeBlock(props: {
  of: keyof typeof judgeTexts;
  judge: Judge;
  trials: readonly EvalTrial[];
}) {
  const { judge } = props;
  const { shown, buttons } = usePager<Judge['cases'][number]>(judge.cases, {
    size: shownCases,
    what: 'graded cases',
  });
  if (judge.status === null) return null;
  const titles = titlesOf(props.trials);
  const { id, heading, column, line, passed: reached, failed: missed } = judgeTexts[props.of];
  return (
    <PagePart id={id} title={heading}>
      <p className="intro">
        {statusSentence(judge)}
        {judge.modelUsed !== null && ` Model: ${judge.modelUsed}.`}
        {judge.threshold !== null && keepPercent(` ${line} ${percent(judge.threshold)}.`)}
      </p>
      {judge.summary !== null && <p className="foreign-text">{judge.summary}</p>}
      {judge.cases.length > 0 && (
        <table>
          <thead>
            <tr>
              <th scope="col">Case</th>
              <th scope="col">Score</th>
              <th scope="col">{column}</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ caseKey, score, passed, reason, ...more }) => (
              <tr key={caseKey}>
                <th scope="row">
                  <bdi>{titles.get(caseKey) ?? caseKey}</bdi>
                </th>
                <td data-label="Score" className="figures">
                  {score === null ? 'none' : keepPercent(percent(score))}
                </td>
                <td data-label={column} className="unbroken">
                  {passed ? reached : missed}
                </td>
                <td data-label="Reason" className="foreign-text">
                  {reason ?? ''}
                  {'unsupportedClaims' in more && <Claims claims={more.unsupportedClaims} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {buttons}
    </PagePart>
  );
}

const shownCases = 10;

/** Claims in an answer that no tool result supports. */
function Claims({ claims }: { claims: readonly string[] }) {
  if (claims.length === 0) return null;
  return (
    <>
      <p className="hint">Claims that no result supports:</p>
      <ul className="in-cell">
        {claims.map((claim) => (
          <li key={claim}>{claim}</li>
        ))}
      </ul>
    </>
  );
}

/**
 * Maps case ids to titles, from the loaded trials. Both ids of a case are keys, because a judge
 * names a case by its declared id or, without one, by its stored id.
 */
function titlesOf(trials: readonly EvalTrial[]): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const { title, caseId, testCaseId } of trials) {
    if (title === null) continue;
    if (testCaseId !== null) titles.set(testCaseId, title);
    if (caseId !== undefined) titles.set(caseId, title);
  }
  return titles;
}

function statusSentence({ status, errorCode }: Judge): string {
  if (status === 'pending') return 'The judge has been asked and has not answered yet.';
  if (status === 'failed') {
    return `The judge could not answer${errorCode === null ? '' : ` (${errorCode})`}; this says nothing about the server.`;
  }
  return 'What a model thinks of the answers. It advises and decides nothing.';
}
