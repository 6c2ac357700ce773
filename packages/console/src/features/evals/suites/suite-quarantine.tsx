import type { EvalCase } from '@proofmark/contract';
import { count } from '@proofmark/domain';
import { useOperation } from '../../../kit/data/operations.ts';
import { QueryView } from '../../../kit/query-view.tsx';
import type { SuiteIds } from '../data/eval-suites.ts';
import { PutIntoQuarantine } from './quarantine-dialog.tsx';
import { QuarantineTable } from './quarantine-table.tsx';

export function SuiteQuarantine({ ids, cases }: { ids: SuiteIds; cases: readonly EvalCase[] }) {
  const quarantine = useOperation('listEvalQuarantine', ids);
  const choices = cases.map(({ id, title }) => ({ caseId: id, name: title }));
  return (
    <section aria-labelledby="quarantine">
      <div className="section-head">
        <h2 id="quarantine">Quarantine</h2>
        <PutIntoQuarantine ids={ids} cases={choices} />
      </div>
      <QueryView query={quarantine}>
        {({ items, most }) =>
          items.length > 0 ? (
            <QuarantineTable ids={ids} entries={items} />
          ) : (
            <p className="hint">
              {`No case is in quarantine. A flaky case may fail there without blocking the gate, for a time; of this suite at most ${count(most, 'case')}.`}
            </p>
          )
        }
      </QueryView>
    </section>
  );
}
