/**
 * The mutation score of a suite. Mutants (servers changed in one thing) that no case detected come
 * first, each with an assertion that would detect it.
 */
import './mutations.css';
import type { EvalCase } from '@proofmark/contract';
import { count, outcomeWords, percent, stageWords, withCheck } from '@proofmark/domain';
import { checkText, mutationSentence } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { allBelow } from '../../kit/data/address-key.ts';
import { useChange } from '../../kit/data/operations.ts';
import { InstantText } from '../../kit/instant-text.tsx';
import { notify } from '../../kit/notice.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { Table } from '../../kit/table.tsx';
import { RateBar, type SuiteIds } from '../evals/index.ts';
import {
  isMutating,
  type SuiteMutation,
  useAddSuggestion,
  useNewestMutation,
} from './data/mutations.ts';
import { StartMutation } from './start-mutation.tsx';

interface BlockProps {
  readonly ids: SuiteIds;
  readonly cases: readonly EvalCase[];
}

type Mutant = SuiteMutation['mutants'][number];

export function MutationBlock({ ids, cases }: BlockProps) {
  const newest = useNewestMutation(ids);
  return (
    <section aria-labelledby="noticed">
      <h2 id="noticed">Mutation test</h2>
      <p className="intro">
        The cases are played against servers that are changed in one thing at a time, on the lexical
        model, which costs nothing, unless you choose otherwise. A change that no case notices could
        happen to you unseen.
      </p>
      <QueryView query={newest}>
        {(mutation) =>
          mutation === 'none' ? (
            <StartMutation ids={ids} isAgain={false} />
          ) : (
            <Report ids={ids} cases={cases} mutation={mutation} />
          )
        }
      </QueryView>
    </section>
  );
}

function Report(props: BlockProps & { mutation: SuiteMutation }) {
  const { ids, mutation } = props;
  const { score, createdAt } = mutation;
  const isOpen = isMutating(mutation);
  return (
    <>
      <div role="status" className="rate">
        {score.value !== null && score.interval !== null && (
          <RateBar rate={score.value} {...score.interval} />
        )}
        <span>{mutationSentence(mutation)}</span>
        <span className="hint">
          <InstantText atMs={createdAt} />
        </span>
      </div>
      {mutation.notes.map((note) => (
        <p key={note} className="hint">
          {note}
        </p>
      ))}
      <Survivors {...props} />
      {mutation.byStage.length > 0 && <ByStage stages={mutation.byStage} />}
      <LeftOut mutation={mutation} />
      {(['undecided', 'killed', 'equivalent'] as const).map((outcome) => (
        <Others
          key={outcome}
          title={outcomeWords[outcome]}
          mutants={mutation.mutants.filter((one) => one.outcome === outcome)}
        />
      ))}
      {isOpen ? (
        <StopMutation ids={ids} mutationId={mutation.mutationId} />
      ) : (
        <StartMutation ids={ids} isAgain />
      )}
    </>
  );
}

function StopMutation({ ids, mutationId }: { ids: SuiteIds; mutationId: string }) {
  const cancel = useChange(
    'cancelEvalSuiteMutation',
    (mutationId: string) => ({ ...ids, mutationId }),
    { readAgain: [allBelow('listEvalSuiteMutations', ids)] },
  );
  return (
    <button type="button" disabled={cancel.isPending} onClick={() => cancel.mutate(mutationId)}>
      Stop
    </button>
  );
}

const shownAtFirst = 10;

function Survivors(props: BlockProps & { mutation: SuiteMutation }) {
  const { mutation, ...block } = props;
  const [isAll, setIsAll] = useState(false);
  const survivors = mutation.mutants.filter(({ outcome }) => outcome === 'survived');
  if (survivors.length === 0) return null;
  const shown = isAll ? survivors : survivors.slice(0, shownAtFirst);
  return (
    <>
      <h3>{`${count(survivors.length, 'change')} nobody noticed`}</h3>
      <ul className="survivors">
        {shown.map((mutant) => (
          <li key={mutant.words} className="panel">
            <Survivor {...block} mutant={mutant} />
          </li>
        ))}
      </ul>
      {shown.length < survivors.length && (
        <button type="button" className="small" onClick={() => setIsAll(true)}>
          {`Show all ${survivors.length}`}
        </button>
      )}
    </>
  );
}

function Survivor({ ids, cases, mutant }: BlockProps & { mutant: Mutant }) {
  const { words, nearestCase, suggestion } = mutant;
  return (
    <>
      <p>
        <b>
          <bdi>{words}</bdi>
        </b>
      </p>
      {nearestCase !== undefined && (
        <p className="hint">
          {'Nearest case: '}
          <Link
            to="/projects/$projectId/suites/$suiteId/cases/$caseId"
            params={{ ...ids, caseId: nearestCase.caseId }}
          >
            <bdi>{nearestCase.title}</bdi>
          </Link>
        </p>
      )}
      {suggestion === undefined ? (
        <p className="hint">No check was found that would notice it.</p>
      ) : (
        <Suggestion ids={ids} cases={cases} suggestion={suggestion} />
      )}
    </>
  );
}

function Suggestion(props: BlockProps & { suggestion: NonNullable<Mutant['suggestion']> }) {
  const { ids, suggestion } = props;
  const add = useAddSuggestion(ids);
  const found = props.cases.find(({ id }) => id === suggestion.caseId);
  const isThere =
    found !== undefined && withCheck(found.checks ?? undefined, suggestion.assertion) === undefined;
  return (
    <>
      <div className="suggestion">
        <span>
          {'This would notice it: '}
          <span className="code">
            <bdi>{checkText(suggestion.assertion)}</bdi>
          </span>
        </span>
        {isThere ? (
          <span className="hint">In the case</span>
        ) : (
          <button
            type="button"
            className="small"
            disabled={add.isPending || found === undefined}
            onClick={() =>
              add.mutate(suggestion, { onSuccess: () => notify('Added to the case.') })
            }
          >
            {found === undefined ? 'The case is gone' : 'Add to the case'}
          </button>
        )}
      </div>
      <div role="alert">
        {add.error !== null && <p className="form-problem">{add.error.message}</p>}
      </div>
    </>
  );
}

function ByStage({ stages }: { stages: SuiteMutation['byStage'] }) {
  return (
    <Table columns={['Stage', 'Noticed', 'Share']}>
      {stages.map(({ stage, killed, decided, value, interval }) => (
        <tr key={stage}>
          <th scope="row">{stageWords[stage]}</th>
          <td data-label="Noticed">{`${killed} of ${decided}`}</td>
          <td data-label="Share">
            {value === null || interval === null ? (
              'nothing was decided'
            ) : (
              <span className="rate">
                <RateBar rate={value} {...interval} />
                {percent(value)}
              </span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function LeftOut({ mutation }: { mutation: SuiteMutation }) {
  if (mutation.leftOut.length === 0) return null;
  return (
    <details className="mutants">
      <summary>{`Left out, since they do not pass without a change: ${mutation.leftOut.length}`}</summary>
      <ul>
        {mutation.leftOut.map(({ caseId, title, model, reason }) => (
          <li key={`${caseId} ${model}`}>
            <bdi>{title}</bdi>
            <p className="hint">
              <bdi>{reason}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Others({ title, mutants }: { title: string; mutants: readonly Mutant[] }) {
  if (mutants.length === 0) return null;
  return (
    <details className="mutants">
      <summary>{`${title}: ${mutants.length}`}</summary>
      <ul>
        {mutants.map(({ words, killedBy: [first, ...rest] }) => (
          <li key={words}>
            <bdi>{words}</bdi>
            {first !== undefined && (
              <p className="hint">
                {`By ${JSON.stringify(first.title)}${rest.length > 0 ? ` and ${count(rest.length, 'other')}` : ''}. `}
                {first.reason !== null && <bdi>{first.reason}</bdi>}
              </p>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
