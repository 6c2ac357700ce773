/** What waits, and who works on it. */
import type { Health } from '@proofmark/contract';
import { durationText, workWords } from '@proofmark/domain';
import { InstantText } from '../../kit/instant-text.tsx';
import { Table } from '../../kit/table.tsx';

export function WorkTable(props: { work: Health['work'] }) {
  return (
    <Table columns={['Work', 'Waiting', 'Leased', 'Silent', 'Longest wait']}>
      {props.work.map((work) => (
        <tr key={work.kind}>
          <th scope="row">{workWords[work.kind] ?? work.kind}</th>
          <td data-label="Waiting">{work.waiting}</td>
          <td data-label="Leased">{work.leased}</td>
          <td data-label="Silent">{work.silent}</td>
          <td data-label="Longest wait">{durationText(work.longestWaitSeconds)}</td>
        </tr>
      ))}
    </Table>
  );
}

export function WorkerTable(props: { workers: Health['workers'] }) {
  return (
    <Table columns={['Host', 'Process', 'Version', 'Slots', 'Started', 'Last beat', 'State']}>
      {props.workers.map((worker) => (
        <tr
          key={`${worker.host} ${worker.processId} ${worker.startedAt}`}
          className={worker.silent ? 'over' : undefined}
        >
          <th scope="row">{worker.host}</th>
          <td data-label="Process">{worker.processId}</td>
          <td data-label="Version">{worker.version}</td>
          <td data-label="Slots">{worker.trialsAtOnce}</td>
          <td data-label="Started">
            <InstantText atMs={worker.startedAt} />
          </td>
          <td data-label="Last beat">{durationText(worker.secondsSinceBeat)} ago</td>
          <td data-label="State">{worker.silent ? 'silent' : 'alive'}</td>
        </tr>
      ))}
    </Table>
  );
}
