/**
 * The schedule of a suite: when and where it runs, when next, and whether its last launch was
 * rejected. Renders nothing while the schedule is off.
 */
import type { EvalSuiteDetail } from '@proofmark/contract';
import { cleanText } from '@proofmark/domain';
import { scheduleWords } from '@proofmark/report';
import { Link } from '@tanstack/react-router';
import { InstantText } from '../../../kit/instant-text.tsx';
import { EnvironmentName } from './environment-name.tsx';

export function ScheduleLine({ suite }: { suite: EvalSuiteDetail }) {
  const { enabled, nextRunAt } = suite.schedule;
  const words = scheduleWords(suite.schedule);
  if (!enabled) return null;
  return (
    <>
      {words !== undefined && (
        <p className="schedule">
          {`Runs by itself ${words}`}
          <Where suite={suite} />
          {nextRunAt !== null && (
            <>
              {'; next on '}
              <InstantText atMs={nextRunAt} />
            </>
          )}
          .
        </p>
      )}
      <RefusedLaunch schedule={suite.schedule} />
    </>
  );
}

interface Attempt {
  readonly at: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** A rejected launch says nothing about the server, so it is not shown in red. */
function RefusedLaunch(props: {
  schedule: { readonly enabled: boolean; readonly lastAttempt?: Attempt | null };
}) {
  const { at, error } = props.schedule.lastAttempt ?? { at: 0, error: null };
  if (error === null) return null;
  return (
    <p className="schedule-refused tone-hold" role="status">
      {'The launch on '}
      <InstantText atMs={at} />
      {' was refused: '}
      <bdi>{cleanText(error.message, false)}</bdi>
      <span className="hint code">{` ${cleanText(error.code, false)}`}</span>
    </p>
  );
}

/** The schedule runs in its own environment, or else in the suite's first one. */
function Where({ suite }: { suite: EvalSuiteDetail }) {
  const { projectId, schedule, environmentIds } = suite;
  const environmentId = schedule.environmentId ?? environmentIds[0];
  if (environmentId === undefined) return ' on the servers of the suite';
  return (
    <>
      {' in '}
      <Link
        to="/projects/$projectId/environments/$environmentId"
        params={{ projectId, environmentId }}
      >
        <EnvironmentName ids={{ projectId, environmentId }} />
      </Link>
    </>
  );
}
