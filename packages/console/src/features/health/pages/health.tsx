import type { Health } from '@proofmark/contract';
import { bytesText, durationText, healthProblemWords, workWords } from '@proofmark/domain';
import { useOperation } from '../../../kit/data/operations.ts';
import { Fact } from '../../../kit/fact-list.tsx';
import { PageFrame } from '../../../kit/frame/page-frame.tsx';
import { InstantText } from '../../../kit/instant-text.tsx';
import { QueryView } from '../../../kit/query-view.tsx';
import { Table } from '../../../kit/table.tsx';
import { SettingsSections } from '../../accounts/index.ts';

export function HealthPage() {
  const health = useOperation('getHealth', {}, { refetchInterval: 5000 });
  return (
    <PageFrame
      title="Health"
      above={<SettingsSections />}
      intro="The installation as a whole. Only owners and admins of its first organization see this."
    >
      <QueryView query={health}>{(data) => <HealthFacts health={data} />}</QueryView>
    </PageFrame>
  );
}

function HealthFacts({ health }: { health: Health }) {
  const { problems, database, openRuns, disk } = health;
  return (
    <>
      <section aria-label="Problems" role="status">
        {problems.length === 0 ? (
          <p>Nothing is wrong.</p>
        ) : (
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{healthProblemWords[problem]}</li>
            ))}
          </ul>
        )}
      </section>
      <dl className="facts">
        <Fact name="Version">Proofmark {health.version}</Fact>
        <Fact name="Database">
          PostgreSQL {database.version},{' '}
          {database.sizeBytes === null ? 'size unknown' : bytesText(database.sizeBytes)}
        </Fact>
        <Fact name="Open runs">
          {openRuns.launched} launched, {openRuns.reported} reported
        </Fact>
        <Fact name="Disk">{disk === null ? 'unknown' : diskText(disk)}</Fact>
      </dl>
      <section aria-labelledby="work">
        <h2 id="work">Queue</h2>
        {health.work.length === 0 ? <p>Nothing waits.</p> : <WorkTable work={health.work} />}
      </section>
      <section aria-labelledby="workers">
        <h2 id="workers">Workers</h2>
        {health.workers.length === 0 ? (
          <p>No worker has said anything in the last day.</p>
        ) : (
          <WorkerTable workers={health.workers} />
        )}
      </section>
    </>
  );
}

function diskText({ freeBytes, totalBytes, holdsDatabase }: NonNullable<Health['disk']>): string {
  const freeSpace = `${bytesText(freeBytes)} of ${bytesText(totalBytes)} free`;
  return holdsDatabase
    ? freeSpace
    : `${freeSpace}, on this host; that of PostgreSQL may be another`;
}

function WorkTable(props: { work: Health['work'] }) {
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

function WorkerTable(props: { workers: Health['workers'] }) {
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
