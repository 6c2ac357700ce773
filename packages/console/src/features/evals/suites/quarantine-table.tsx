/**
 * The quarantine of a suite: each entry with its owner, reason and remaining days. An entry from
 * the suite file can be deleted only in that file.
 */
import type { OutputOf } from '@proofmark/contract';
import { cleanText, count } from '@proofmark/domain';
import { useState } from 'react';
import { Confirm } from '../../../kit/confirm.tsx';
import { allBelow } from '../../../kit/data/address-key.ts';
import { useChange } from '../../../kit/data/operations.ts';
import { notify } from '../../../kit/notice.tsx';
import type { SuiteIds } from '../data/eval-suites.ts';

export type QuarantinedCase = OutputOf<'listEvalQuarantine'>['items'][number];

const staleWords = {
  expired: 'expired',
  gone: 'its case is gone',
  steady: 'steady: the last 59 trials passed',
} as const;

export function QuarantineTable(props: { ids: SuiteIds; entries: readonly QuarantinedCase[] }) {
  const isAnyStale = props.entries.some(({ state }) => state !== 'inForce');
  return (
    <>
      {isAnyStale && (
        <p className="waiver">A stale entry fails the gate, even if the run passed. Delete it.</p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">Case</th>
            <th scope="col">Days left</th>
            <th scope="col">Owner</th>
            <th scope="col">Reason</th>
            <th scope="col">
              <span className="unseen">Lift</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.entries.map((entry) => (
            <EntryRow key={entry.id} ids={props.ids} entry={entry} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function EntryRow({ ids, entry }: { ids: SuiteIds; entry: QuarantinedCase }) {
  const { title, caseId, model, state, daysLeft, owner, reason, source } = entry;
  return (
    <tr>
      <th scope="row">
        {cleanText(title ?? caseId, false)}
        {model !== null && <span className="hint run-note">{`on ${cleanText(model, false)}`}</span>}
      </th>
      <td data-label="Days left">
        {state === 'inForce' ? (
          count(daysLeft, 'day')
        ) : (
          <b className="tone-fail">{staleWords[state]}</b>
        )}
      </td>
      <td data-label="Owner">{cleanText(owner, false)}</td>
      <td data-label="Reason">{cleanText(reason, false)}</td>
      <td data-label="">
        {source === 'file' ? (
          <span className="hint">in the suite file</span>
        ) : (
          <LiftQuarantine ids={ids} entryId={entry.id} />
        )}
      </td>
    </tr>
  );
}

export function LiftQuarantine({ ids, entryId }: { ids: SuiteIds; entryId: string }) {
  const lift = useChange('removeEvalQuarantineEntry', (entryId: string) => ({ ...ids, entryId }), {
    readAgain: [allBelow('listEvalQuarantine', ids)],
  });
  const [isAsking, setIsAsking] = useState(false);
  const close = () => {
    setIsAsking(false);
    lift.reset();
  };
  return (
    <>
      <button type="button" onClick={() => setIsAsking(true)}>
        Lift
      </button>
      {isAsking && (
        <Confirm
          title="Lift the quarantine of this case?"
          action="Lift quarantine"
          isHarmless
          busy={lift.isPending}
          error={lift.error}
          onClose={close}
          onConfirm={() =>
            lift.mutate(entryId, {
              onSuccess: () => {
                close();
                notify('The quarantine was lifted.');
              },
            })
          }
        >
          <p>From then on a failure of this case fails the gate again.</p>
        </Confirm>
      )}
    </>
  );
}
