/** What waits, and who works on it. */
import type { Health } from '@proofmark/contract';
import { durationText, workWords } from '@proofmark/domain';
import { InstantText } from './instant-text.tsx';

export function WorkTable(props: { work: Health['work'] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Work</th>
          <th scope="col">Waiting</th>
          <th scope="col">Leased</th>
          <th scope="col">Silent</th>
          <th scope="col">Longest wait</th>
        </tr>
      </thead>
      <tbody>
        {props.work.map((work) => (
          <tr key={work.kind}>
            <th scope="row">{workWords[work.kind] ?? work.kind}</th>
            <td data-label="Waiting">{work.waiting}</td>
            <td data-label="Leased">{work.leased}</td>
            <td data-label="Silent">{work.silent}</td>
            <td data-label="Longest wait">{durationText(work.longestWaitSeconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function WorkerTable(props: { workers: Health['workers'] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Host</th>
          <th scope="col">Process</th>
          <th scope="col">Version</th>
          <th scope="col">Slots</th>
          <th scope="col">Started</th>
          <th scope="col">Last beat</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  );
}
