import type { Home } from '@proofmark/contract';
import { count, grouped } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { CopyText } from '../../kit/copy-text.tsx';
import { InstantText } from '../../kit/instant-text.tsx';
import { Empty } from '../../kit/query-view.tsx';
import { Table } from '../../kit/table.tsx';
import { verdictTone } from '../evals/index.ts';
import { moreWords, splitSentence } from './home-words.ts';

type Run = Home['latest']['items'][number];

export function RunningList({ running }: { running: Home['running'] }) {
  if (running.total === 0) return null;
  return (
    <section aria-labelledby="home-running">
      <h2 id="home-running">Running now</h2>
      <ol className="home-list">
        {running.items.map((run) => (
          <li key={run.runId}>
            <span className="home-sign sign-live" aria-hidden="true">
              …
            </span>
            <div>
              <p className="home-line">
                <RunLink run={run} />
                <span className="hint">
                  <bdi>{run.projectName}</bdi> · since <InstantText atMs={run.createdAt} />
                </span>
              </p>
              <p className="figures">
                {run.status === 'pending' ? 'Waiting for a worker: ' : ''}
                {run.expected === null
                  ? `${count(run.done, 'trial')} done.`
                  : `${grouped(run.done)} of ${count(run.expected, 'trial')} done.`}
              </p>
              {run.expected !== null && run.expected > 0 && (
                <progress
                  value={Math.min(run.done, run.expected)}
                  max={run.expected}
                  aria-label={`Trials done of ${run.suiteName}`}
                />
              )}
            </div>
          </li>
        ))}
      </ol>
      {moreWords(running) !== undefined && <p className="hint">{moreWords(running)}</p>}
    </section>
  );
}

export function VerdictTable({ latest }: { latest: Home['latest'] }) {
  if (latest.total === 0) return null;
  return (
    <section aria-labelledby="verdicts">
      <h2 id="verdicts">Latest verdicts</h2>
      <Table columns={['Suite', 'Verdict', 'Time']}>
        {latest.items.map((run) => (
          <tr key={run.runId}>
            <th scope="row">
              <RunLink run={run} />
            </th>
            <td data-label="Verdict">
              <Verdict run={run} />
            </td>
            <td data-label="Time">
              <InstantText atMs={run.completedAt ?? run.createdAt} />
            </td>
          </tr>
        ))}
      </Table>
      {moreWords(latest) !== undefined && <p className="hint cut">{moreWords(latest)}</p>}
    </section>
  );
}

export function LatestRunTable({ latest }: { latest: Home['latest'] }) {
  if (latest.total === 0) {
    return (
      <Empty title="No suite has run yet">
        <p>Write a first suite from the tools of a server, and test it:</p>
        <CopyText
          block
          text={'proofmark init --server http://127.0.0.1:8080/mcp\nproofmark test'}
          label="Copy the commands"
        />
      </Empty>
    );
  }
  return (
    <section aria-labelledby="home-latest">
      <h2 id="home-latest">Latest runs</h2>
      <Table columns={['Suite', 'Verdict', 'Project', 'Time']}>
        {latest.items.map((run) => (
          <tr key={run.runId}>
            <th scope="row">
              <RunLink run={run} />
            </th>
            <td data-label="Verdict">
              <Verdict run={run} />
            </td>
            <td data-label="Project">
              <bdi>{run.projectName}</bdi>
            </td>
            <td data-label="Time">
              <InstantText atMs={run.completedAt ?? run.createdAt} />
            </td>
          </tr>
        ))}
      </Table>
      {moreWords(latest) !== undefined && <p className="hint cut">{moreWords(latest)}</p>}
    </section>
  );
}

function RunLink({ run }: { run: Run }) {
  return (
    <Link
      to="/projects/$projectId/runs/$runId"
      params={{ projectId: run.projectId, runId: run.runId }}
    >
      <bdi>{run.suiteName}</bdi>
      {`, run ${run.runNumber}`}
    </Link>
  );
}

/** A waived run is still failed. Its waiver is shown directly after the verdict. */
function Verdict({ run }: { run: Run }) {
  const { verdict, rest } = splitSentence(run.sentence);
  const isWaived = run.waived && run.verdict === 'failed';
  const tone = isWaived ? 'hold' : verdictTone(run.verdict);
  return (
    <span>
      <b className={`tone-${tone}`}>{isWaived ? 'Failed, waived:' : verdict}</b>
      {rest}
    </span>
  );
}
