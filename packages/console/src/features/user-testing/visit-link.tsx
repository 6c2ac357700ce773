import { Link } from '@tanstack/react-router';
import type { ScenarioIds } from './data/user-testing.ts';

export function VisitLink(props: { ids: ScenarioIds; sessionId: string; children: string }) {
  return (
    <Link
      to="/projects/$projectId/user-testing/$scenarioId/sessions/$sessionId"
      params={{ ...props.ids, sessionId: props.sessionId }}
    >
      {props.children}
    </Link>
  );
}
