import { Link } from '@tanstack/react-router';
import type { Journey } from '../../data/swarms.ts';

/** Journeys by their names, where a page is about something else. */
export function JourneyList(props: {
  projectId: string;
  journeys: readonly Journey[];
  none: string;
}) {
  if (props.journeys.length === 0) return <p className="hint">{props.none}</p>;
  return (
    <ul className="plain-list">
      {props.journeys.map(({ id: journeyId, name }) => (
        <li key={journeyId}>
          <Link
            to="/projects/$projectId/journeys/$journeyId"
            params={{ projectId: props.projectId, journeyId }}
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
