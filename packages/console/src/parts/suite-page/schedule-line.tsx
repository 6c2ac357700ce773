/** That a suite runs by itself: how often, when next, and where. Nothing while its schedule is off. */
import { count } from '@proofmark/domain';
import { Link } from '@tanstack/react-router';
import { useEnvironments } from '../../data/environments.ts';
import type { EvalSuiteDetail } from '../../data/eval-suites.ts';
import { Instant } from '../instant.tsx';

export function ScheduleLine({ suite }: { suite: EvalSuiteDetail }) {
  const { enabled, intervalMinutes, nextRunAt } = suite.schedule;
  if (!enabled || intervalMinutes === null) return null;
  return (
    <p className="schedule">
      {`Runs by itself every ${intervalWords(intervalMinutes)}`}
      <Where suite={suite} />
      {nextRunAt !== null && (
        <>
          {'; next on '}
          <Instant atMs={nextRunAt} />
        </>
      )}
      .
    </p>
  );
}

/** The pinned environment, else the only one. */
function Where({ suite }: { suite: EvalSuiteDetail }) {
  const { projectId, schedule, environmentIds } = suite;
  const environments = useEnvironments(projectId);
  const environmentId = schedule.environmentId ?? environmentIds[0];
  if (environmentId === undefined) return ' on the servers of the suite';
  return (
    <>
      {' in '}
      <Link
        to="/projects/$projectId/environments/$environmentId"
        params={{ projectId, environmentId }}
      >
        {environments.data?.find(({ id }) => id === environmentId)?.name ?? environmentId}
      </Link>
    </>
  );
}

const minutesOfHour = 60;
const minutesOfDay = 24 * minutesOfHour;

function intervalWords(minutes: number): string {
  if (minutes % minutesOfDay === 0) return each(minutes / minutesOfDay, 'day');
  if (minutes % minutesOfHour === 0) return each(minutes / minutesOfHour, 'hour');
  return each(minutes, 'minute');
}

function each(amount: number, unit: string): string {
  return amount === 1 ? unit : count(amount, unit);
}
